/** Generated from schemas/config.json by `npm run generate`. Do not edit. */
import type { JsonObject } from '../../base/json.ts'

/** Configuration of a Sluiceway gateway. docs/CONFIG.md is generated from these descriptions. */

export interface ConfigFile {
  /** Location of this schema, for editors of JSON files. No effect. */
  readonly $schema?: string
  /** Name of the service as clients see it: header `Service-ZDR`, member `service.capabilities`, headers `x-service-…`. Keys that `sluiceway keys create` makes start with it and an underscore; keys in this file may have any form. */
  readonly brand: string
  /** Base URL of the documentation of errors. `error.docs_url` is this URL, a slash and the error code. */
  readonly docs_url?: string
  /** URL at which customers buy credits: member `topup_url` of the error `insufficient_credits`. */
  readonly topup_url?: string
  /** Address and port for clients. */
  readonly listen: Listen
  /** Address and port for operators: /metrics, /livez and /readyz. `false`: none. Must not be reachable by clients. */
  readonly admin:
    | {
        /** Address to listen on. */
        readonly host: string
        /** Port to listen on; 0: any free port. */
        readonly port: number
        /** Linux shares the port among the processes that listen on it; a draining one closes it with the port for clients. Each must have this set, run as the same user, and the port must not be 0. */
        readonly reuse_port: boolean
        /** Serves the operators' API below /admin/ and their pages at /, for keys of operators (`sluiceway keys create --operator NAME`). */
        readonly api: boolean
        readonly oidc?: AdminOidc
      }
    | false
  /** The customers' pages. */
  readonly console: Console
  /** Values of the Host header for each surface; a port in the header is ignored. A host may serve both surfaces. The host of an entry of `endpoints` serves only that dedicated endpoint. */
  readonly hosts: Hosts
  /** Database for keys, usage and request records: `sqlite:` and the path of a file, or a `postgres://` URL. With `sqlite::memory:` everything is lost when the process exits. */
  readonly store: string
  /** Where concurrency, quotas, rate limits and credits are counted: `memory` for one process, a `redis://` or `rediss://` URL for several. docs/LIMITS.md has the URLs for Redis Cluster and Sentinel. */
  readonly limits_store: string
  /** Whose prompts are kept apart in the prefix caches of engines that take `cache_salt`, so that the time to the first token does not reveal what another account has asked. `zdr`: those of each account that requires zero data retention, by header or policy; `account`: those of every account; `off`: none. */
  readonly cache_isolation: 'off' | 'account' | 'zdr'
  /** Secret of which the salts are made. Give the same one to all gateways in front of the same engines, so that they use one cache per account; gateways that share Redis route as one if they have the same. At least 16 characters. */
  readonly cache_isolation_key?: string
  /** Options of limits that several processes share. */
  readonly limits: {
    /** Processes that share `limits_store`, on all machines together. While Redis is unavailable, one that has never counted the others grants this share of each limit. */
    readonly processes?: number
  }
  /** What prepaid accounts are charged for. */
  readonly credits: {
    /** A stream that broke after it had begun costs nothing (`free`), or what was delivered of it (`delivered`), as one whose client has disconnected does. */
    readonly broken_streams: 'free' | 'delivered'
  }
  /** Directory of the journal, which holds request records until they are in the store. It must be on a local disk, so that records survive a crash of the gateway and an outage of the store. */
  readonly journal: string
  readonly alerts?: Alerts
  /** Days for which request records are kept. Older records are deleted. */
  readonly retention_days: number
  /** Processes on this machine that share the port. More than one requires Redis as `limits_store`. */
  readonly workers: number
  /** Seconds for which the port stays open after SIGTERM or SIGINT while /readyz reports `draining`, so that load balancers stop sending requests. `drain_seconds` start after them. */
  readonly drain_delay_seconds: number
  /** Seconds for which running exchanges may continue after SIGTERM or SIGINT. The rest is then ended with `shutting_down`. */
  readonly drain_seconds: number
  /** Timeouts, in milliseconds. */
  readonly timeouts: Timeouts
  /** Maximum size of a request body, in bytes. Larger bodies are refused with 413 `request_body_too_large`. */
  readonly body_limit_bytes: number
  /** Maximum size of the body of a transcription, in bytes: the audio file and the fields beside it. Larger bodies are refused with 413 `request_body_too_large`. Files pass to the backend while they arrive, so that their size takes no memory. */
  readonly audio_limit_bytes: number
  /** Bytes of an audio file that are held in memory while the form is read: a form with a shorter file may have its fields in any order and can be sent to another backend after a failure, one with a longer file needs `model` before `file`. */
  readonly audio_held_bytes: number
  /** What one client may hold of one process at the same time. With several `workers` each process counts for itself. */
  readonly admission: Admission
  /** Memory for request bodies. */
  readonly memory: Memory
  /** Requests per minute that one key may send to each route of the management API and to the Files API. Above the limit: 429 `rate_limit_exceeded`. */
  readonly rate_limits_per_minute: RateLimits
  /** Files that clients upload, to refer to them by `file_id`. */
  readonly files: Files
  /** How images are fetched that requests refer to by URL. */
  readonly image_fetch: {
    /** Private networks from which images may be fetched, in CIDR notation, such as `10.1.0.0/16`. Public addresses are always allowed; all other addresses are refused. */
    readonly allow: readonly string[]
  }
  /** Cross-origin requests of browsers. Off while no origin is listed. */
  readonly cors: {
    /** Origins that are allowed, such as `https://app.example.com`; `*`: every origin. */
    readonly origins: readonly string[]
  }
  /** The log on stdout, one line for each event. It holds no prompt, no output of a model and no key. */
  readonly log: {
    /** Lowest level that is written. */
    readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
    /** `json`: one JSON object per line, for programs. `text`: lines for people. */
    readonly format: 'text' | 'json'
    /** Adds the client's IP address to the line of each request, as `client_address`. It is in no record. */
    readonly client_address: boolean
  }
  /** Metrics for Prometheus, on the operators' port. */
  readonly metrics: {
    /** Accounts with series of their own for requests and tokens: the busiest of each process, chosen anew every minute. All others are `other`. 0: no metrics of accounts. */
    readonly accounts: number
  }
  /** Options of chat completions. An account or a key may override them. */
  readonly chat: {
    /** Chunks of a chat completion stream that carry `usage`. `every`: each one from the first count of the backend on, which vLLM, SGLang and llama.cpp send with the first token. `last`: only the one before `[DONE]`. */
    readonly usage_chunks: 'every' | 'last'
  }
  /** Options of the Messages API. An account or a key may override them. */
  readonly messages: {
    /** `on`: `thinking: {type: adaptive}` switches reasoning on where the model can reason. `off`: only `{type: enabled}` does. */
    readonly adaptive_thinking: 'on' | 'off' | true | false
    /** Images inside a tool result on a model without vision. `refuse`: 400 `model_request_rejected`. `describe`: a line of text replaces the image. */
    readonly tool_images_without_vision: 'refuse' | 'describe'
    /** What `usage.input_tokens` counts on Messages. `total`: all input tokens. `uncached`: without those of `cache_read_input_tokens`. */
    readonly input_tokens: 'total' | 'uncached'
  }
  /** Options of the Responses API. An account or a key may override them. */
  readonly responses: {
    /** Tools of a type that only its vendor can run. `reject`: 400 `invalid_tool`. `drop`: they are left out. */
    readonly unknown_tools: 'reject' | 'drop'
    /** Stream events carry `sequence_number`, which some strict clients require. */
    readonly sequence_number: boolean
    /** Items `{role, content}` without `type` in the input of Responses. `refuse`: 400 `unsupported_input_item`. `message`: they are messages. */
    readonly untyped_items: 'refuse' | 'message'
  }
  /** Options of tools, on every API that has them. An account or a key may override them. */
  readonly tools: {
    /** A function whose `parameters` are `{}` or `{type: object}`. `refuse`: 400 `tool_schema_invalid`. `accept`: it has no arguments, and backends get an empty `properties` map. A function without `parameters` is always accepted. */
    readonly empty_parameters: 'refuse' | 'accept'
  }
  /** Formats on which a token limit that exceeds the rest of the context window is lowered to that rest. On other formats such a request is refused with `context_length_exceeded`. */
  readonly clamp_max_tokens: readonly ('chat' | 'completions' | 'messages' | 'responses')[]
  /** How one of several backends of a model is chosen. */
  readonly routing: Routing
  /** The chain of plugins. An object changes the default chain; plugins that a later version adds to it then run as well. An array is the whole chain, top to bottom: built-in plugins that it does not name do not run, and are logged at every start. `sluiceway explain` prints the chain of each route. */
  readonly plugins?: readonly Plugin[] | PluginChanges
  /** Models that are served. */
  readonly models: readonly Model[]
  /** Dedicated endpoints: host names that serve single customers. */
  readonly endpoints: readonly Endpoint[]
  /** Limits of accounts, by the name of the plan. */
  readonly plans: {
    readonly [k: string]: Plan
  }
  /** Accounts that are defined in this file. `sluiceway keys` manages further keys in the store. */
  readonly accounts: readonly Account[]
}

export interface Listen {
  /** Address to listen on: `127.0.0.1` for this machine only, `0.0.0.0` or `::` for every network interface. */
  readonly host: string
  /** Port to listen on; 0: any free port. */
  readonly port: number
  /** Networks of proxies in front of the gateway, in CIDR notation. From these, and only these, X-Forwarded-Proto and X-Forwarded-Host count in URLs that clients are sent (`docs_url`, `topup_url`), and X-Forwarded-For in the log and in the audit log of operators. */
  readonly trusted_proxies: readonly string[]
  /** Linux shares the port among the processes that listen on it: a new one serves while the old one drains. Each must have this set, run as the same user, and the port must not be 0. */
  readonly reuse_port: boolean
  /** Certificate for HTTPS. */
  readonly tls?: {
    /** PEM file of the certificate with its chain. */
    readonly cert: string
    /** PEM file of the private key. */
    readonly key: string
  }
}

/** Operators open their pages by an OpenID Connect issuer too; needs `api: true`. At least one of `users` and `groups` names a person. */
export interface AdminOidc {
  /** The issuer, exactly as its discovery document names it: the document is at this URL and `/.well-known/openid-configuration`. */
  readonly issuer: string
  /** Id under which the issuer knows this gateway. */
  readonly client_id: string
  /** Secret of the client, as the issuer has made it. One of 16 characters or more also seals what a browser keeps during a sign-in; with a shorter one, gateways on several machines need the same `cache_isolation_key`, and so they do without one, where the client is public and has PKCE alone. */
  readonly client_secret?: string
  /** Scopes that are asked for beside `openid`. */
  readonly scopes: readonly string[]
  /** Claim with the name of the operator, as `users` and the audit log have it; `a.b` is member `b` of claim `a`. An `email` counts where the issuer says `email_verified: true`. Name none that people can change themselves. */
  readonly user_claim: string
  /** Operators by name. */
  readonly users: readonly string[]
  /** Claim with the groups or roles of a person, a text or a list of texts: `groups`, `roles`, `realm_access.roles`. */
  readonly groups_claim: string
  /** Members of these groups are operators. */
  readonly groups: readonly string[]
  /** Text of the button. */
  readonly label?: string
  /** Where the issuer sends browsers back to: the operators' path `/sign-in/oidc/callback`, at the address that browsers use. The issuer must know it. */
  readonly redirect_uri?: string
  /** Further parameters of the request that the browser takes to the issuer: `prompt: select_account`, `hd: example.com`, `kc_idp_hint: ldap`. */
  readonly parameters: {
    readonly [k: string]: string
  }
  /** Time for each answer of the issuer, in milliseconds. Requests of clients never wait for it. */
  readonly timeout_ms: number
}

export interface Console {
  readonly oidc?: ConsoleOidc
}

/** Customers sign in by an OpenID Connect issuer too. */
export interface ConsoleOidc {
  /** The issuer, exactly as its discovery document names it: the document is at this URL and `/.well-known/openid-configuration`. */
  readonly issuer: string
  /** Id under which the issuer knows this gateway. */
  readonly client_id: string
  /** Secret of the client, as the issuer has made it. One of 16 characters or more also seals what a browser keeps during a sign-in; with a shorter one, gateways on several machines need the same `cache_isolation_key`, and so they do without one, where the client is public and has PKCE alone. */
  readonly client_secret?: string
  /** Scopes that are asked for beside `openid`. */
  readonly scopes: readonly string[]
  /** Claim that names the user, as `members` of accounts do; `a.b` is member `b` of claim `a`. An `email` counts where the issuer says `email_verified: true`, in small letters too. Name none that people can change themselves. */
  readonly user_claim: string
  /** Domains of the verified `email` of those who may sign in; empty: any. */
  readonly allowed_domains: readonly string[]
  /** Text of the button. */
  readonly label?: string
  /** Where the issuer sends browsers back to: the gateway's path `/console/login/oidc/callback`, at the address that browsers use. The issuer must know it. */
  readonly redirect_uri?: string
  /** Further parameters of the request that the browser takes to the issuer: `prompt: select_account`, `hd: example.com`, `kc_idp_hint: ldap`. */
  readonly parameters: {
    readonly [k: string]: string
  }
  /** Time for each answer of the issuer, in milliseconds. Requests of clients never wait for it. */
  readonly timeout_ms: number
}

export interface Hosts {
  /** Hosts of the serverless gateway, which serves inference. */
  readonly gateway?: readonly string[]
  /** Hosts of the account and endpoint management API. */
  readonly api?: readonly string[]
}

/** Alerts that are sent to a webhook, once for each threshold and period. */
export interface Alerts {
  /** URL that gets a POST for each alert. User and password in it are refused: receivers know alerts by their signature. */
  readonly webhook: string
  /** Signs each alert, as Standard Webhooks does: the base64 of 24 to 64 bytes, usually behind `whsec_`: `echo whsec_$(openssl rand -base64 32)`. */
  readonly secret: string
  /** Alerts `credits.low`: the balance of a prepaid account is below this many cents. */
  readonly credit_below_cents: readonly number[]
  /** Alerts `quota.used`: an account has used this share of the requests that its plan includes in a window. */
  readonly quota_used: readonly number[]
  /** Alerts `backend.down`: a backend has failed for so long that it gets no requests. */
  readonly backend_down_seconds: number
}

export interface Timeouts {
  /** From the first byte of a request to the end of its head. Then: 408. */
  readonly headers_ms: number
  /** From the first byte of a request to the end of its body. Then: 408. */
  readonly request_ms: number
  /** For connecting to a backend, including TLS. Then another backend is tried. */
  readonly connect_ms: number
  /** From the request to the first event of a backend, or to the head of its JSON reply. Then: 504 `backend_timeout`. */
  readonly first_byte_ms: number
  /** Between two reads from a backend during a reply. Then the reply fails with `backend_timeout`. */
  readonly idle_ms: number
  /** For which a client may leave written bytes unread. Then its connection is closed and the request to the backend is cancelled. */
  readonly client_idle_ms: number
  /** Time without an event on a stream after which a keep-alive comment is sent, so that proxies do not close the connection. */
  readonly keep_alive_ms: number
}

export interface Admission {
  /** Open connections of one client address (of IPv6: of one network of 64 bits). Above it, an idle connection of the address is closed for the new one; where none is idle, the new one is. All clients behind a proxy have its address. */
  readonly connections_per_address?: number
  /** Requests in flight of one key, from the end of the head to the end of the response. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_key?: number
  /** Requests in flight of one account. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_account?: number
  /** Request bodies of one key that are being read or wait for memory. Above it: 429 `rate_limit_exceeded`. */
  readonly bodies_per_key?: number
  /** Request bodies of one account that are being read or wait for memory. Above it: 429 `rate_limit_exceeded`. */
  readonly bodies_per_account?: number
}

export interface Memory {
  /** Memory limit for all request bodies of one process together, in bytes: what was received and what its values take on the heap. Each of several `workers` has this limit. */
  readonly bodies_bytes?: number
  /** Part of `bodies_bytes` that the bodies of one account may take together. A single body that needs more is refused with 413 `request_body_too_large`. */
  readonly account_share: number
  /** Time in milliseconds for which a body waits, unread, while there is no memory for it. Then: 429 `request_memory_exceeded` where its account has used its share, else 503 `gateway_overloaded`. */
  readonly wait_ms: number
  /** Period in milliseconds within which at least 4096 bytes of an unfinished body must arrive. Else: 408. */
  readonly idle_ms: number
}

export interface RateLimits {
  /** GET /v1/endpoints. */
  readonly endpoints: number
  /** GET /v1/endpoints/metrics. */
  readonly metrics: number
  /** GET /v1/endpoints/requests. */
  readonly requests: number
  /** GET /v1/endpoints/requests/{request_id}. */
  readonly request: number
  /** GET /v1/usage/me and GET /v1/usage/team together. */
  readonly usage: number
  /** All routes of the Files API together. */
  readonly files: number
}

export interface Files {
  /** Directory of the uploaded files and their metadata. All processes share it; for several machines it must be on a shared file system. */
  readonly path: string
  /** Maximum size of a file, in bytes. Files above the option `max_bytes` of the plugin images could be uploaded but not used. */
  readonly max_bytes: number
  /** Maximum total size of the files of one user of an account, in bytes. */
  readonly max_total_bytes_per_user: number
  /** Maximum number of files of one user of an account. */
  readonly max_files_per_user: number
  /** Days after its upload at which a file is deleted, also if requests still refer to it. */
  readonly retention_days: number
}

export interface Routing {
  /** `cost`: the backend that is expected to send the first token soonest, by the prefixes in its cache and the work before it (docs/ROUTING.md). `least_load`: the less busy one of two that are drawn at random. With one backend nothing is computed. */
  readonly policy?: 'cost' | 'least_load'
  /** A request header that names the client's session, such as `x-session-id`. A hint for `cost`: it never decides alone, and its value is not kept. */
  readonly session_header?: string
}

export interface Plugin {
  /** Name of a built-in plugin, a path that starts with `./`, `../` or `/`, or the name of an installed package. */
  readonly use: string
  /** `false`: the plugin does not run, and is not logged as missing. */
  readonly enabled: boolean
  /** Options of the plugin, as its schema defines them. docs/plugins has a page with the options of each built-in plugin. */
  readonly options: JsonObject
}

export interface PluginChanges {
  /** Chain that is changed. `default`: the one in config/default-chain.yaml. */
  readonly base: 'default'
  /** Names of plugins of the default chain that do not run. */
  readonly off: readonly string[]
  /** Options of plugins of the default chain, by the plugin's name. They switch on a plugin that is off by default, such as `trace`. docs/plugins has a page with the options of each. */
  readonly options: {
    readonly [k: string]: JsonObject
  }
  /** Plugins that are added to the default chain. */
  readonly add: readonly PluginAddition[]
}

export interface PluginAddition {
  /** Path that starts with `./`, `../` or `/`, the name of an installed package, or the name of a built-in plugin that `off` names, to move it. */
  readonly use: string
  /** Plugin below which it is placed: the name of a plugin of the default chain, or the `use` of an earlier entry. Entries with the same anchor keep their order. */
  readonly after?: string
  /** Plugin above which it is placed, named as in `after`. Give exactly one of the two. */
  readonly before?: string
  /** Options of the plugin, as its schema defines them. */
  readonly options: JsonObject
}

export interface Model {
  /** Name of the model in requests and replies. */
  readonly id: string
  /** Other names of the model. A record keeps the name that was sent (`model_requested`) and the id (`model_resolved`). */
  readonly aliases: readonly string[]
  /** What the model does, and with it the routes that it serves: `chat` the chat APIs and text completions, `embedding` `/v1/embeddings`, `rerank` `/v1/rerank` and `/v2/rerank`, `score` `/v1/score`, `classify` `/v1/classify`, `transcription` `/v1/audio/transcriptions`. On any other route: 400 `unsupported_feature`. */
  readonly kind: 'chat' | 'embedding' | 'rerank' | 'score' | 'classify' | 'transcription'
  /** Owner in the model list. */
  readonly owned_by?: string
  /** Creation time in the model list, in seconds since 1970-01-01 UTC. */
  readonly created: number
  /** Context window, in tokens. Requests that exceed it are refused with `context_length_exceeded`. */
  readonly max_model_len?: number
  /** Prices, in cents per million tokens. */
  readonly pricing?: {
    /** Price of prompt tokens. */
    readonly input: number
    /** Price of prompt tokens that were read from the cache. */
    readonly cached_input?: number
    /** Price of generated tokens, including reasoning. */
    readonly output: number
  }
  /** `fixed`: the server enforces its own sampling. temperature, top_p, n, presence_penalty and frequency_penalty are removed from requests. */
  readonly sampling: 'free' | 'fixed'
  /** Features of the model. A request for any other feature is refused with an error, never ignored. */
  readonly capabilities: Capabilities
  /** Maximum number of requests in flight on this model, over all routes and backends, of each process. Above the limit: 429 `backend_at_capacity`. */
  readonly max_concurrency?: number
  /** How one of several backends is chosen, where it differs from `routing` of the gateway. */
  readonly routing?: Routing
  /** Where requests wait while every backend is at its `max_concurrency`, or the model at its own (docs/ROUTING.md#queue). */
  readonly queue?: Queue
  /** Models that serve a request, in this order, when no backend of this one is available or has capacity, before anything was sent to the client. They must have its capabilities, and the account must be allowed to use them (docs/ROUTING.md#fallback). */
  readonly fallback: readonly string[]
  /** Sends a share of the requests of this model, once they are being answered, to another model as well, and drops its answers (docs/ROUTING.md#mirror). */
  readonly mirror?: {
    /** The model that gets them, of kind `chat`. */
    readonly to: string
    /** Share of the requests. */
    readonly percent: number
  }
  /** Servers that run the model. Requests are distributed over the healthy ones. */
  readonly backends: readonly Backend[]
}

export interface Capabilities {
  /** The model accepts images. */
  readonly vision?: boolean
  /** The model can call tools. */
  readonly tools?: boolean
  /** `true`: the model reasons when a request asks for it. `always`: reasoning cannot be switched off, so that requests to disable it count as enabled, and forced tool calls are refused. */
  readonly reasoning: false | true | 'always'
  /** Effort of reasoning. */
  readonly reasoning_effort: {
    /** Effort of requests that name none. On the Responses API it also decides about requests that do not mention reasoning: absent or `none`, they run without it. */
    readonly default?: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  }
  /** Features of chat completions and text completions. */
  readonly chat_completions: {
    /** More than one choice per request (`n`). */
    readonly n: boolean
    /** Constrained decoding by a grammar. */
    readonly grammar: boolean
    /** Constrained decoding by a regular expression. */
    readonly regex: boolean
    /** `response_format` of type `json_schema` and `json_object`. */
    readonly structured_outputs: boolean
    /** Function tools. */
    readonly tools?: boolean
    /** Function tools in streamed requests. */
    readonly streaming_tools?: boolean
    /** Reasoning of earlier turns can be part of the prompt. */
    readonly preserve_thinking: boolean
    /** `echo` of text completions. */
    readonly echo?: boolean
    /** `suffix` of text completions. */
    readonly suffix?: boolean
  }
  /** Features of the Messages API. */
  readonly messages: {
    /** Images are accepted on the Messages API. */
    readonly vision?: boolean
  }
  /** Flags on the model card for the Responses API, such as `reasoning: true`. Shown to clients, without any other effect. */
  readonly responses: {
    readonly [k: string]: boolean
  }
  /** Members of `chat_completions` that differ on backends with zero data retention. */
  readonly zdr: {
    /** More than one choice per request (`n`). */
    readonly n?: boolean
    /** Constrained decoding by a grammar. */
    readonly grammar?: boolean
    /** Constrained decoding by a regular expression. */
    readonly regex?: boolean
    /** `response_format` of type `json_schema` and `json_object`. */
    readonly structured_outputs?: boolean
    /** Function tools. */
    readonly tools?: boolean
    /** Function tools in streamed requests. */
    readonly streaming_tools?: boolean
    /** Reasoning of earlier turns can be part of the prompt. */
    readonly preserve_thinking?: boolean
    /** `echo` of text completions. */
    readonly echo?: boolean
    /** `suffix` of text completions. */
    readonly suffix?: boolean
  }
}

export interface Queue {
  /** Most requests that wait, in each process. Above it: 429 `backend_at_capacity`, for the account that has the most waiting. */
  readonly max: number
  /** Longest wait, in milliseconds. After it: 429 `backend_at_capacity`. */
  readonly max_wait_ms: number
  /** Who goes first among requests of the same `plans.<name>.priority`. `account`: the account that has been served the fewest tokens. */
  readonly fair: 'account'
}

export interface Backend {
  /** Base URL with its version prefix: `http://127.0.0.1:8000/v1`. `sluiceway probe URL` prints the engine and its profile. Required, unless there is `discover`. */
  readonly url?: string
  /** In place of `url`: finds any number of backends, which may come and go. `dns`: the addresses of a name. `file`: the targets of a file in the form of Prometheus' `file_sd`. The members of this entry that are not about discovery hold for each (docs/ROUTING.md#backends-that-come-and-go). */
  readonly discover?: 'dns' | 'file'
  /** With `discover: dns`: the name to look up, such as `vllm.default.svc`; for `SRV`, with service and protocol: `_http._tcp.vllm.default.svc`. The search domains of the system apply, unless `servers` are given or the name ends with a dot. */
  readonly name?: string
  /** With `discover: dns`: which records are looked up. `A`: IPv4 addresses; `AAAA`: IPv6 addresses; `SRV`: names and ports of servers, and the addresses of those; their priorities and weights count (RFC 2782). */
  readonly type?: 'A' | 'AAAA' | 'SRV'
  /** Port of each backend, where `A` or `AAAA` records or targets of a file do not say one. `SRV` records have their own. */
  readonly port?: number
  /** With `discover`: scheme of the base URL of each backend. With `https`, certificates must name what is found: the names of `SRV` records, the targets of a file, or addresses. */
  readonly scheme?: 'http' | 'https'
  /** With `discover`: path of the base URL of each backend, with its version prefix. */
  readonly base_path?: string
  /** With `discover: file`: the file, in YAML or JSON: a list of `{ targets: ["10.0.0.1:8000"] }`. Relative to the directory of the configuration. */
  readonly path?: string
  /** With `discover`: how often it is looked for changes. Addresses whose time to live is shorter are looked up sooner, but not more than once a second. */
  readonly every_seconds?: number
  /** With `discover: dns`: DNS servers to ask, `10.0.0.10` or `10.0.0.10:5353`; IPv6 with a port as `[::1]:5353`. */
  readonly servers?: readonly string[]
  /** Name of the model on that server. */
  readonly model?: string
  /** Engine of the server: a named profile of how it differs. `openai`: any other server with OpenAI's API. */
  readonly engine: 'vllm' | 'sglang' | 'llama.cpp' | 'openai'
  /** Members of the engine's profile that differ on this server. */
  readonly profile: Profile
  /** This server retains nothing. Requests that require zero data retention are sent to such backends only. */
  readonly zdr: boolean
  /** Share of the requests relative to the other backends of the model. 0: it is sent none. */
  readonly weight: number
  /** Sends this server no new requests; those in flight go on. `sluiceway backends drain` does the same without a change of the file. */
  readonly drain: boolean
  /** Maximum number of requests in flight on this backend, of each process: with several `workers` each has this many. */
  readonly max_concurrency?: number
  /** What the policy `cost` of `routing` is to believe of this server. Absent members are learnt (docs/ROUTING.md). */
  readonly routing: {
    /** Tokens of prompts that the server computes in a second. */
    readonly prefill_tokens_per_second?: number
    /** Milliseconds between two tokens of an answer while the server has little to do. */
    readonly decode_step_ms?: number
    /** Tokens that the prefix cache of the server holds. */
    readonly cache_tokens?: number
  }
  /** Sent as `Authorization: Bearer`. The keys of clients are never sent to a backend. */
  readonly api_key?: string
  /** Further headers of every request to this server. */
  readonly headers: {
    readonly [k: string]: string
  }
}

export interface Profile {
  /** Version of the engine that the other fields are true for, in words; `null`: no particular one. Nothing depends on it. */
  readonly engine_version?: string | null
  /** Member of `chat_template_kwargs` that switches reasoning; `null`: none. */
  readonly thinking_kwarg?: 'enable_thinking' | 'thinking' | null
  /** Values of `reasoning_effort` that the server accepts. */
  readonly efforts?: readonly string[]
  /** Where a request carries a JSON Schema, a regular expression or a grammar. */
  readonly structured?: 'structured_outputs' | 'sglang' | 'llama.cpp' | 'response_format_only'
  /** What `POST /tokenize` accepts; `none`: token counts are estimates. */
  readonly tokenize?: 'messages' | 'prompt' | 'content' | 'none'
  /** The server omits the count of cached tokens when it is 0. Set it for SGLang with `--enable-cache-report`. */
  readonly cached_null_means_zero?: boolean
  /** The chat template accepts system messages anywhere in the conversation. */
  readonly system_inline?: boolean
  /** The server accepts the role `developer`; otherwise it is sent as `system`. */
  readonly developer_role?: boolean
  /** `tool_choice` may name a function; otherwise only that tool is sent, with `required`. */
  readonly named_tool_choice?: boolean
  /** Name of `repetition_penalty` on the server. */
  readonly repetition_penalty?: 'repetition_penalty' | 'repeat_penalty'
  /** The server returns log probabilities only if `top_logprobs` is at least 1. */
  readonly logprobs_need_top?: boolean
  /** Requests for a JSON reply are sent as streams, because the server does not stop generating when the connection of a non-streamed request closes. */
  readonly always_stream?: boolean
  /** In a stream of several choices, each usage counts one choice; otherwise the last one counts all. */
  readonly usage_per_choice?: boolean
  /** The member of a request by which the server counts tokens in each chunk of a stream: `stream_options.continuous_usage_stats`, or llama-server's `timings_per_token`. A server that ignores it counts at the end. */
  readonly running_usage?: 'continuous_usage_stats' | 'timings_per_token'
  /** A stream may have tools and log probabilities together. Otherwise they are refused in streams, and replies that are not streamed are requested so in spite of `always_stream`. */
  readonly stream_tools_logprobs?: boolean
  /** Members of text completions that the server obeys. `echo` and `suffix` are the defaults of the model's capabilities of the same names; `best_of` above `n` is refused without it. */
  readonly text_members?: readonly ('echo' | 'suffix' | 'best_of')[]
  /** The most stop strings that the server accepts; `null`: as many as the gateway. A request with more is refused. */
  readonly max_stop_strings?: number | null
  /** The value of `top_k` that stands for all tokens. */
  readonly top_k_all?: 0 | -1
  /** Images may have `detail: original`; otherwise it is sent as `high`. */
  readonly image_detail_original?: boolean
  /** The server is started with a scheduler that obeys `priority`, and which numbers it serves first; `null`: none is sent. It is that of the account's plan (`plans.<name>.priority`), negated for `lower_first`. */
  readonly priority?: 'lower_first' | 'higher_first' | null
  /** The server accepts `cache_salt`, which keeps parts of its prefix cache apart (`cache_isolation`). */
  readonly cache_salt?: boolean
  /** Path of the health check below the root of the server; `null`: no health check. */
  readonly health_path?: string | null
  /** Path below the root of the server at which it tells the size of its KV cache: Prometheus metrics of vLLM or SGLang, or llama-server's slots. Read after good health checks, for routing; `null`: the size is learnt. */
  readonly cache_path?: string | null
  /** Paths of requests that the server serves beside the version prefix of its URL, not below it: `/classify` and not `/v1/classify`. */
  readonly root_paths?: readonly ('/embeddings' | '/rerank' | '/score' | '/classify')[]
  /** Texts that identify a 503 or an in-band error as a full queue: 429 `backend_at_capacity`. Compared without case. */
  readonly queue_full_patterns?: readonly string[]
  /** Texts that identify a refusal as a prompt longer than the context window: `context_length_exceeded`. Compared without case. */
  readonly context_patterns?: readonly string[]
  /** Texts that identify a 500 as an error of the request, such as an image that cannot be decoded: 400 `model_request_rejected`, or `context_length_exceeded` where `context_patterns` match too. Compared without case. */
  readonly refusal_patterns?: readonly string[]
  /** Texts that identify a 503 or an in-band error as a request that ran for longer than the server allows: 504 `backend_timeout`, and no other backend is tried. Compared without case. */
  readonly timeout_patterns?: readonly string[]
  /** Texts that identify a 400 as a model that the server does not have or has not loaded: 502 `backend_http_error`, as after a 404. Compared without case; `*` stands for any characters. */
  readonly missing_model_patterns?: readonly string[]
}

export interface Endpoint {
  /** Host name of the endpoint. Requests with this Host header reach only this endpoint. */
  readonly host: string
  /** Ids or aliases of the models that the endpoint serves. */
  readonly models: readonly string[]
}

export interface Plan {
  /** Member `plan_tier` of the error when the quota is used up. */
  readonly tier?: string
  /** Maximum number of requests in flight of the whole account. Above the limit: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  readonly limits?: RequestLimits
  /** Place of its accounts in the queue of a model (`queue`), and on engines whose profile takes a `priority`; higher goes first. */
  readonly priority: number
  /** Quota: requests that are included in a window of time. Above it: 429 `request_quota_exceeded`. */
  readonly requests?: {
    /** Number of requests in a window. */
    readonly limit: number
    /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `7d`; at most a year. Windows follow each other without a gap from 1970-01-01 00:00 UTC on. */
    readonly window: string
  }
}

/** Limits of requests to models. In a plan they are for all keys of an account together, in a key for its own requests. */
export interface RequestLimits {
  /** Requests in any minute. Above it: 429 `rate_limit_exceeded`. In a plan it takes the place of `inference_per_minute` of the plugin rate-limit. */
  readonly requests_per_minute?: number
  /** Tokens in any minute, input and output: estimated when a request begins, settled when it ends. Above it: 429 `rate_limit_exceeded`. */
  readonly tokens_per_minute?: number
  /** Requests in flight. Above it: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  /** What requests may cost in a window of time, at the prices of the models. Above it: 429 `rate_limit_exceeded`. */
  readonly budget_cents?: {
    /** Cents in a window. */
    readonly amount: number
    /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `30d`; at most a year. Windows follow each other without a gap from 1970-01-01 00:00 UTC on. */
    readonly window: string
  }
}

export interface Account {
  /** UUID that never changes; clients see it as `pass_account_id`. `uuidgen` makes one. */
  readonly id: string
  /** Name of the account for operators. */
  readonly name?: string
  /** `serverless`: has usage reports of the team. `enterprise`: holds pass keys. `dedicated`: uses dedicated endpoints only. */
  readonly kind: 'serverless' | 'enterprise' | 'dedicated'
  /** Name of an entry of `plans`. */
  readonly plan?: string
  /** Zero data retention by policy: every request of this account is sent to backends with `zdr: true`, or refused. */
  readonly zdr_required: boolean
  /** Ids or aliases of the models that the account may use; `*`: all. Requests for other models are refused with 403 `model_not_allowed`. */
  readonly models: readonly string[]
  /** Initial prepaid balance, in cents. `sluiceway credits add` adds to it. */
  readonly credits_cents?: number
  /** Sets `chat.usage_chunks`, `messages.input_tokens`, `responses.untyped_items` and `tools.empty_parameters`, except where they are set beside it. `agents`: to `last`, `uncached`, `message` and `accept`. `default`: to the values of the gateway. */
  readonly client_profile?: 'default' | 'agents'
  readonly chat?: Chat
  readonly messages?: Messages
  readonly responses?: Responses
  readonly tools?: Tools
  /** Users of this account. */
  readonly members: readonly Member[]
  /** API keys of this account. */
  readonly keys: readonly Key[]
}

/** Options of chat completions that differ here. */
export interface Chat {
  /** Chunks of a chat completion stream that carry `usage`. `every`: each one from the first count of the backend on, which vLLM, SGLang and llama.cpp send with the first token. `last`: only the one before `[DONE]`. */
  readonly usage_chunks?: 'every' | 'last'
}

/** Options of the Messages API that differ here. */
export interface Messages {
  /** `on`: `thinking: {type: adaptive}` switches reasoning on where the model can reason. `off`: only `{type: enabled}` does. */
  readonly adaptive_thinking?: 'on' | 'off' | true | false
  /** Images inside a tool result on a model without vision. `refuse`: 400 `model_request_rejected`. `describe`: a line of text replaces the image. */
  readonly tool_images_without_vision?: 'refuse' | 'describe'
  /** What `usage.input_tokens` counts on Messages. `total`: all input tokens. `uncached`: without those of `cache_read_input_tokens`. */
  readonly input_tokens?: 'total' | 'uncached'
}

/** Options of the Responses API that differ here. */
export interface Responses {
  /** Tools of a type that only its vendor can run. `reject`: 400 `invalid_tool`. `drop`: they are left out. */
  readonly unknown_tools?: 'reject' | 'drop'
  /** Stream events carry `sequence_number`, which some strict clients require. */
  readonly sequence_number?: boolean
  /** Items `{role, content}` without `type` in the input of Responses. `refuse`: 400 `unsupported_input_item`. `message`: they are messages. */
  readonly untyped_items?: 'refuse' | 'message'
}

/** Options of tools that differ here. */
export interface Tools {
  /** A function whose `parameters` are `{}` or `{type: object}`. `refuse`: 400 `tool_schema_invalid`. `accept`: it has no arguments, and backends get an empty `properties` map. A function without `parameters` is always accepted. */
  readonly empty_parameters?: 'refuse' | 'accept'
}

export interface Member {
  /** Name or e-mail address of the user, unique in the account. */
  readonly user: string
  /** `owner` and `admin` may read the usage of the whole team. */
  readonly role: 'owner' | 'admin' | 'member'
}

export interface Key {
  /** Identifies the key in logs, records and commands. Not secret; unique in this file. */
  readonly id: string
  /** Member that the key belongs to. A key without one is a legacy key: it works for inference and owns no files. */
  readonly user?: string
  /** `serverless` and `pass` keys are valid on the gateway, `dedicated` keys on the hosts in `endpoints`. */
  readonly kind: 'serverless' | 'pass' | 'dedicated'
  /** The key as the client sends it. Only its SHA-256 is kept in memory. Give either this or `sha256`. Prefer `${NAME}` or `sha256` to a secret in the file. */
  readonly secret?: string
  /** SHA-256 of the secret in hex: `printf %s "$SECRET" | sha256sum`. */
  readonly sha256?: string
  /** Hosts of the dedicated endpoints on which the key is valid. */
  readonly endpoints: readonly string[]
  readonly limits?: RequestLimits
  /** Sets `chat.usage_chunks`, `messages.input_tokens`, `responses.untyped_items` and `tools.empty_parameters`, except where they are set beside it. `agents`: to `last`, `uncached`, `message` and `accept`. `default`: to the values of the gateway. */
  readonly client_profile?: 'default' | 'agents'
  readonly chat?: Chat
  readonly messages?: Messages
  readonly responses?: Responses
  readonly tools?: Tools
}
