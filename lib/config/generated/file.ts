/** Generated from schemas/config.json by `npm run generate`. Do not edit. */
import type { JsonObject } from '../../base/json.ts'

/** Configuration of a Sluiceway gateway. docs/CONFIG.md is generated from these descriptions. */

export interface ConfigFile {
  /** Location of this schema, for editors of JSON files. No effect. */
  readonly $schema?: string
  /** Name of the service as clients see it: header `Service-ZDR`, member `service.capabilities`, headers `x-service-…`. Keys of `sluiceway keys create` start with it and an underscore; keys in this file may have any form. */
  readonly brand: string
  /** Word in the header of the console and of the operators' pages, such as `production` or `staging`. */
  readonly environment?: string
  /** Base URL of the documentation of errors. `error.docs_url` is this URL, a slash and the error code. */
  readonly docs_url?: string
  /** URL at which customers buy credits: member `topup_url` of the error `insufficient_credits`. */
  readonly topup_url?: string
  /** Currency of all amounts, by its code in ISO 4217: the word after amounts on pages, in CSV and in commands. Nothing is converted. Prices, credits and budgets are in hundredths of its unit, which are called cents. */
  readonly currency: string
  /** Address and port for clients. */
  readonly listen: Listen
  /** Address and port for operators: /metrics, /livez and /readyz. `false`: none. Must not be reachable by clients. */
  readonly admin:
    | {
        /** Address to listen on. */
        readonly host: string
        /** Port to listen on; 0: any free port. */
        readonly port: number
        /** Linux shares the port among the processes that listen on it. A draining process closes it together with the port for clients. Each process must have this setting and run as the same user, and the port must not be 0. */
        readonly reuse_port: boolean
        /** Serves the operators' API below /admin/ and their pages at /, for keys of operators (`sluiceway keys create --operator NAME`). */
        readonly api: boolean
        readonly oidc?: AdminOidc
      }
    | false
  /** The customers' pages. */
  readonly console: Console
  /** The gateway and the management API serve the documentation at `/docs/`, without a key. In a checkout, `npm run docs` builds it first. */
  readonly docs: boolean
  /** Values of the Host header for each surface; a port in the header is ignored. A host may serve both surfaces. The host of an entry of `endpoints` serves only that dedicated endpoint. */
  readonly hosts: Hosts
  /** Database for keys, usage and request records: `sqlite:` and the path of a file, or a `postgres://` URL with one host, whose password is percent-encoded, or in the environment variable `PGPASSWORD`. With `sqlite::memory:`, in YAML between quotes, everything is lost when the process exits. */
  readonly store: string
  /** Operators can add, change and hide models with the operators' API and its pages. The store keeps these models, and every process uses them over those of the file. */
  readonly stored_models: boolean
  /** Store of the counters of concurrency, quotas, rate limits and credits: `memory` for one process, a `redis://` or `rediss://` URL for several. docs/LIMITS.md has the URLs for Redis Cluster and Sentinel. */
  readonly limits_store: string
  /** Accounts whose prompts are isolated in the prefix caches of engines that accept `cache_salt`, so that the time to the first token does not reveal another account's prompts. `zdr`: accounts that require zero data retention, by header or policy; `account`: all accounts; `off`: none. */
  readonly cache_isolation: 'off' | 'account' | 'zdr'
  /** Secret from which salts are derived. Use the same one in all gateways in front of the same engines, so that an account has one cache. Gateways that share Redis also need the same one to route as one. At least 16 characters. */
  readonly cache_isolation_key?: string
  /** Options of limits that several processes share. */
  readonly limits: {
    /** Processes that share `limits_store`, on all machines together. While Redis is unavailable, a process that has never counted the others grants 1 divided by this number of each limit. */
    readonly processes?: number
  }
  /** Rules for charging prepaid accounts. */
  readonly credits: {
    /** Price of a stream that broke after it began: nothing (`free`), or the delivered part (`delivered`), as for a client that disconnects. */
    readonly broken_streams: 'free' | 'delivered'
  }
  /** Directory of the journal, which holds request records until they are in the store. It must be on a local disk, so that records survive a crash of the gateway and an outage of the store. */
  readonly journal: string
  readonly alerts?: Alerts
  readonly export?: Export
  /** Days for which request records are kept. Older records are deleted. */
  readonly retention_days: number
  /** Processes on this machine that share the port. More than one requires Redis as `limits_store`. */
  readonly workers: number
  /** Seconds for which the port stays open after SIGTERM or SIGINT while /readyz reports `draining`, so that load balancers stop sending requests. `drain_seconds` start after them. */
  readonly drain_delay_seconds: number
  /** Seconds for which running exchanges may continue after SIGTERM or SIGINT. Then they are ended with `shutting_down`. */
  readonly drain_seconds: number
  /** Timeouts, in milliseconds. */
  readonly timeouts: Timeouts
  /** Maximum size of a request body, in bytes. Larger bodies are refused with 413 `request_body_too_large`. */
  readonly body_limit_bytes: number
  /** Maximum size of the body of a transcription or translation, in bytes: the audio file and the other fields. Larger bodies are refused with 413 `request_body_too_large`. Files are streamed to the backend, so a larger file needs no more memory. */
  readonly audio_limit_bytes: number
  /** Maximum size of the body of an image edit, in bytes: its images and the other fields. Larger bodies are refused with 413 `request_body_too_large`. Images are streamed to the backend like audio files. */
  readonly image_limit_bytes: number
  /** Bytes of the files of a form, audio or images, that are buffered in memory while the form is read. With shorter files, the fields may have any order, and the request can be sent to another backend after a failure. With longer files, `model` must precede them. */
  readonly audio_held_bytes: number
  /** Limits of one client in one process. Each of several `workers` counts separately. */
  readonly admission: Admission
  /** Memory for request bodies. */
  readonly memory: Memory
  /** Requests per minute that one key may send to each route of the management API and to the Files API. Above the limit: 429 `rate_limit_exceeded`. */
  readonly rate_limits_per_minute: RateLimits
  /** Files that clients upload, to refer to them by `file_id`. */
  readonly files: Files
  readonly batches?: Batches
  /** Requests to URLs that customers name: downloads of images, and with `console.alerts` their alerts. */
  readonly image_fetch: {
    /** Private networks in which such URLs may be, in CIDR notation, such as `10.1.0.0/16`. Public addresses are always allowed; all other addresses are refused. */
    readonly allow: readonly string[]
    /** HTTP proxy for these requests, such as `http://10.0.0.5:3128`. Names are resolved and checked here: the proxy is asked for addresses only. */
    readonly proxy?: string
  }
  /** Cross-origin requests of browsers. Off while no origin is listed. */
  readonly cors: {
    /** Origins that are allowed, such as `https://app.example.com`; `*`: every origin. */
    readonly origins: readonly string[]
  }
  /** The log on stdout, one line for each event. It contains no prompt, no output of a model and no key. */
  readonly log: {
    /** Lowest level that is written. */
    readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
    /** `json`: one JSON object per line, for programs. `text`: lines for people. */
    readonly format: 'text' | 'json'
    /** Adds the client's IP address to the line of each request, as `client_address`. Records do not have it. */
    readonly client_address: boolean
  }
  /** The answer of GET /v1/models. */
  readonly model_list: {
    /** Lists aliases too: a card with the alias as `id` and the id of the model as `root`. */
    readonly aliases: boolean
  }
  /** Metrics for Prometheus, on the operators' port. */
  readonly metrics: {
    /** Number of accounts with their own series for requests and tokens: the busiest of each process, selected every minute. All others are `other`. 0: no metrics of accounts. */
    readonly accounts: number
  }
  /** Options of chat completions. An account or a key may override them. */
  readonly chat: {
    /** Chunks of a chat completion stream that carry `usage`. `every`: every chunk after the backend's first count; vLLM, SGLang and llama.cpp count from the first token. `last`: only the chunk before `[DONE]`. */
    readonly usage_chunks: 'every' | 'last'
  }
  /** Options of the Messages API. An account or a key may override them. */
  readonly messages: {
    /** `on`: `thinking: {type: adaptive}` switches reasoning on if the model can reason. `off`: only `{type: enabled}` does. */
    readonly adaptive_thinking: 'on' | 'off' | true | false
    /** Images in a tool result, for a model without vision. `refuse`: 400 `model_request_rejected`. `describe`: a line of text replaces the image. */
    readonly tool_images_without_vision: 'refuse' | 'describe'
    /** Meaning of `usage.input_tokens` on Messages. `total`: all input tokens. `uncached`: without `cache_read_input_tokens`. */
    readonly input_tokens: 'total' | 'uncached'
  }
  /** Options of the Responses API. An account or a key may override them. */
  readonly responses: {
    /** Tools of a type that only its vendor can run. `reject`: 400 `invalid_tool`. `drop`: they are removed. */
    readonly unknown_tools: 'reject' | 'drop'
    /** Stream events carry `sequence_number`, which some strict clients require. */
    readonly sequence_number: boolean
    /** Items `{role, content}` without `type` in the input of Responses. `refuse`: 400 `unsupported_input_item`. `message`: they are messages. */
    readonly untyped_items: 'refuse' | 'message'
  }
  /** Options of tools, on every API with tools. An account or a key may override them. */
  readonly tools: {
    /** A function whose `parameters` are `{}` or `{type: object}`. `refuse`: 400 `tool_schema_invalid`. `accept`: it has no arguments, and backends get an empty `properties` map. A function without `parameters` is always accepted. */
    readonly empty_parameters: 'refuse' | 'accept'
  }
  /** Options of reasoning. An account or a key may override them. */
  readonly reasoning: {
    /** The efforts `minimal` and `xhigh` on chat completions. `refuse`: 422 `schema_validation_failed`. `nearest`: `minimal` is `low`; `xhigh` is sent as on Responses, or as the strongest effort that the engine accepts. */
    readonly other_efforts: 'refuse' | 'nearest'
  }
  /** Options of errors, on every API. An account or a key may override them. */
  readonly errors: {
    /** Status of `request_quota_exceeded`, and of `rate_limit_exceeded` of a spend limit. `429`: with `Retry-After`. `402`: without; for clients that repeat every 429, or wait for `Retry-After`, whatever `x-should-retry` says. */
    readonly used_up: 429 | 402
  }
  /** Formats on which a token limit above the remaining context window is lowered to what remains. On other formats such a request is refused with `context_length_exceeded`. */
  readonly clamp_max_tokens: readonly ('chat' | 'completions' | 'messages' | 'responses')[]
  /** Choice of one of a model's backends. */
  readonly routing: Routing
  /** The chain of plugins. An object changes the default chain; plugins that a later version adds to it also run. An array is the whole chain, top to bottom: built-in plugins that it does not name do not run, and are logged at every start. `sluiceway explain` prints the chain of each route. */
  readonly plugins?: readonly Plugin[] | PluginChanges
  /** Models that are served, and entries that discover models. */
  readonly models: readonly (ModelDiscovery | Model)[]
  /** Dedicated endpoints: host names that each serve one customer. */
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
  /** Networks of proxies in front of the gateway, in CIDR notation. Only from these, X-Forwarded-Proto and X-Forwarded-Host are used for URLs in replies (`docs_url`, `topup_url`), and X-Forwarded-For for the log and the operators' audit log. */
  readonly trusted_proxies: readonly string[]
  /** Linux shares the port among the processes that listen on it: a new process serves while the old one drains. Each process must have this setting and run as the same user, and the port must not be 0. */
  readonly reuse_port: boolean
  /** Certificate for HTTPS. */
  readonly tls?: {
    /** PEM file of the certificate with its chain. */
    readonly cert: string
    /** PEM file of the private key. */
    readonly key: string
  }
}

/** Operators can also sign in to their pages by an OpenID Connect issuer. Requires `api: true`, and at least one of `users` and `groups`. */
export interface AdminOidc {
  /** The issuer, exactly as its discovery document names it. The document is at this URL plus `/.well-known/openid-configuration`. */
  readonly issuer: string
  /** Id of this gateway at the issuer. */
  readonly client_id: string
  /** Secret of the client, created at the issuer. A secret of 16 characters or more also encrypts the cookie of a sign-in. With a shorter one, or none (a public client with PKCE), gateways on several machines need the same `cache_isolation_key`. */
  readonly client_secret?: string
  /** Scopes that are requested in addition to `openid`. */
  readonly scopes: readonly string[]
  /** Claim with the operator's name for `users` and the audit log; `a.b` is member `b` of claim `a`. An `email` counts only with `email_verified: true`. Do not use a claim that people can change themselves. */
  readonly user_claim: string
  /** Operators by name. */
  readonly users: readonly string[]
  /** Claim with the groups or roles of a person, a text or a list of texts: `groups`, `roles`, `realm_access.roles`. */
  readonly groups_claim: string
  /** Members of these groups are operators. */
  readonly groups: readonly string[]
  /** Text of the button. */
  readonly label?: string
  /** URL to which the issuer redirects browsers: the operators' path `/sign-in/oidc/callback` at the address that browsers use. It must be registered at the issuer. */
  readonly redirect_uri?: string
  /** Further parameters of the authorization request: `prompt: select_account`, `hd: example.com`, `kc_idp_hint: ldap`. */
  readonly parameters: {
    readonly [k: string]: string
  }
  /** Timeout of each request to the issuer, in milliseconds. Clients' requests never wait for it. */
  readonly timeout_ms: number
}

export interface Console {
  /** Customers set alerts on their keys and accounts, which are sent to URLs of theirs by the rules of `image_fetch` (docs/CONSOLE.md#alerts). */
  readonly alerts: boolean
  readonly oidc?: ConsoleOidc
}

/** Customers can also sign in by an OpenID Connect issuer. */
export interface ConsoleOidc {
  /** The issuer, exactly as its discovery document names it. The document is at this URL plus `/.well-known/openid-configuration`. */
  readonly issuer: string
  /** Id of this gateway at the issuer. */
  readonly client_id: string
  /** Secret of the client, created at the issuer. A secret of 16 characters or more also encrypts the cookie of a sign-in. With a shorter one, or none (a public client with PKCE), gateways on several machines need the same `cache_isolation_key`. */
  readonly client_secret?: string
  /** Scopes that are requested in addition to `openid`. */
  readonly scopes: readonly string[]
  /** Claim with the name of the user in `members` of accounts; `a.b` is member `b` of claim `a`. An `email` counts only with `email_verified: true`; it is also compared in lower case. Do not use a claim that people can change themselves. */
  readonly user_claim: string
  /** Allowed domains of the verified `email`; empty: any. */
  readonly allowed_domains: readonly string[]
  /** Groups of the issuer make people members of accounts, at each sign-in and every 15 minutes of a session (docs/OIDC.md#members-by-groups). */
  readonly accounts?: {
    /** Claim with the groups of a person: a list, or one text; `a.b` is member `b` of claim `a`. */
    readonly claim: string
    /** Per group, the account and the role that its people have. Of several groups with one account, the highest role counts. */
    readonly map: {
      readonly [k: string]: GroupAccount
    }
  }
  /** Text of the button. */
  readonly label?: string
  /** URL to which the issuer redirects browsers: the gateway's path `/console/login/oidc/callback` at the address that browsers use. It must be registered at the issuer. */
  readonly redirect_uri?: string
  /** Further parameters of the authorization request: `prompt: select_account`, `hd: example.com`, `kc_idp_hint: ldap`. */
  readonly parameters: {
    readonly [k: string]: string
  }
  /** Timeout of each request to the issuer, in milliseconds. Clients' requests never wait for it. */
  readonly timeout_ms: number
}

export interface GroupAccount {
  /** Id of an account of the file or the store. */
  readonly account: string
  /** `owner` and `admin` may read the usage and the requests of the whole account. */
  readonly role: 'owner' | 'admin' | 'member'
}

export interface Hosts {
  /** Hosts of the serverless gateway, which serves inference. */
  readonly gateway?: readonly string[]
  /** Hosts of the account and endpoint management API. */
  readonly api?: readonly string[]
}

/** Alerts that are sent to a webhook, once for each threshold and period. */
export interface Alerts {
  /** URL that gets a POST for each alert. A URL with user and password is refused: receivers verify the signature instead. */
  readonly webhook: string
  /** Signs each alert, as Standard Webhooks does: the base64 of 24 to 64 bytes, usually with the prefix `whsec_`: `echo whsec_$(openssl rand -base64 32)`. */
  readonly secret: string
  /** Alerts `credits.low`: the balance of a prepaid account is below this many cents. */
  readonly credit_below_cents: readonly number[]
  /** Alerts `quota.used`: an account has used this share of the requests that its plan includes in a window. */
  readonly quota_used: readonly number[]
  /** Alerts `backend.down`: a backend has received no requests for this time, because it failed. */
  readonly backend_down_seconds: number
}

/** Streams of request records and of the audit log to other systems, as JSON lines like those of the operators' API. Each line is sent at least once, by one process at a time. */
export interface Export {
  readonly records?: ExportTarget
  readonly audit?: ExportTarget
}

/** Where the lines of one stream go. */
export interface ExportTarget {
  /** `stdout`: between the lines of the log. `file`: appended to `path`. `webhook`: POST to `url`, signed like alerts. `otlp`: log records for an OTLP/HTTP collector at `url`. */
  readonly to: 'stdout' | 'file' | 'webhook' | 'otlp'
  /** The file of `file`. It is opened for each batch, so it may be renamed at any time. */
  readonly path?: string
  /** The address of `webhook`, or the base URL of the collector of `otlp`, to which `/v1/logs` is appended. A URL with user and password is refused. */
  readonly url?: string
  /** Signs each batch of `webhook`, as `alerts.secret` does. */
  readonly secret?: string
  /** Most lines that are sent at a time. */
  readonly max_batch: number
}

export interface Timeouts {
  /** From the first byte of a request to the end of its head. Then: 408. */
  readonly headers_ms: number
  /** From the first byte of a request to the end of its body. Then: 408. */
  readonly request_ms: number
  /** Time for connecting to a backend, including TLS. Then another backend is tried. */
  readonly connect_ms: number
  /** From the request to the first event of a backend, or to the head of its JSON reply. Then: 504 `backend_timeout`. */
  readonly first_byte_ms: number
  /** Between two reads from a backend during a reply. Then the reply fails with `backend_timeout`. */
  readonly idle_ms: number
  /** Time for which a client may leave written bytes unread. Then its connection is closed and the request to the backend is cancelled. */
  readonly client_idle_ms: number
  /** Time without an event on a stream after which a keep-alive comment is sent, so that proxies do not close the connection. */
  readonly keep_alive_ms: number
}

export interface Admission {
  /** Open connections of one client address (of IPv6: of one network of 64 bits). Above it, an idle connection of the address is closed; if none is idle, the new connection is closed. All clients behind a proxy have the proxy's address. */
  readonly connections_per_address?: number
  /** Requests in flight of one key, from the end of the request head to the end of the response. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_key?: number
  /** Requests in flight of one account. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_account?: number
  /** Request bodies of one key that are being read or wait for memory. Above it: 429 `rate_limit_exceeded`. */
  readonly bodies_per_key?: number
  /** Request bodies of one account that are being read or wait for memory. Above it: 429 `rate_limit_exceeded`. */
  readonly bodies_per_account?: number
}

export interface Memory {
  /** Memory limit for all request bodies of one process, in bytes: received bytes and parsed values. Each of several `workers` has this limit. */
  readonly bodies_bytes?: number
  /** Part of `bodies_bytes` that the bodies of one account may use. A single body that needs more is refused with 413 `request_body_too_large`. */
  readonly account_share: number
  /** Time in milliseconds for which a body waits, unread, for memory. Then: 429 `request_memory_exceeded` if its account has used its share, else 503 `gateway_overloaded`. */
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
  /** All routes of batches together. */
  readonly batches: number
}

export interface Files {
  /** Directory of the uploaded files and their metadata. All processes share it; for several machines it must be on a shared file system. */
  readonly path: string
  /** Maximum size of an image, in bytes; `batches.max_file_bytes` is that of a file for a batch. Files above the option `max_bytes` of the plugin images could be uploaded but not used. */
  readonly max_bytes: number
  /** Maximum total size of the files of one user of an account, in bytes. */
  readonly max_total_bytes_per_user: number
  /** Maximum number of files of one user of an account. */
  readonly max_files_per_user: number
  /** Days after its upload at which a file is deleted, also if requests still refer to it. A file that a batch reads is deleted when the batch has ended. */
  readonly retention_days: number
  /** Encrypts the files on the disk with AES-256-GCM: the base64 of 32 random bytes, from the environment. Files that were stored without it stay readable. `openssl rand -base64 32` makes one. */
  readonly encryption_key?: string
}

/** Batches: files of requests that can wait, which run in the spare capacity of the backends. Without this member, there are no routes for them. */
export interface Batches {
  /** Values of `completion_window` that customers may choose: a number and `m`, `h` or `d`. Batches of the Messages API always have 24 hours. */
  readonly windows: readonly string[]
  /** Maximum size of an input file, in bytes. */
  readonly max_file_bytes: number
  /** Maximum number of requests in a batch. */
  readonly max_requests: number
  /** Maximum number of batches of an account that have not ended. Above it: 429 `batch_limit_exceeded`. */
  readonly max_unfinished: number
  /** Maximum number of requests in all batches of an account that have not ended. Above it: 429 `batch_limit_exceeded`. */
  readonly max_queued_requests: number
  /** How much later first tokens of interactive requests may arrive because of batches, as a share of their mean. 0.2 uses about twice as much of the spare capacity as 0.05. */
  readonly growth: number
  /** Upper limit of what `growth` allows, in milliseconds. */
  readonly max_added_ttft_ms: number
  /** Maximum share of a backend's places that requests of batches use. */
  readonly max_share: number
  /** Maximum share of a backend's KV cache that requests of batches use. 0.05 is a good value next to agents, whose prompts fill the cache. */
  readonly max_cache_share: number
  /** Maximum number of requests of batches in flight at a backend without `max_concurrency`. */
  readonly slots: number
  /** Cancel running requests of batches as soon as an interactive request needs their place. They run again later and are not charged for the cancelled run. */
  readonly preempt: boolean
}

export interface Routing {
  /** `cost`: the backend with the earliest expected first token, by the prefixes in its cache and its queued work (docs/ROUTING.md). `least_load`: the less busy of two backends that are drawn at random. With one backend nothing is computed. */
  readonly policy?: 'cost' | 'least_load'
  /** A request header that names the client's session, before the headers that agents send (docs/ROUTING.md#sessions). A hint for `cost`: it never decides alone, and records keep only a hash of it. */
  readonly session_header?: string
  /** Position in a prompt at which attention doubles the time to compute a token: some 18,000 for models with full attention, hundreds of thousands with sparse attention. */
  readonly attention_tokens?: number
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
  /** Plugin below which this one is placed: the name of a plugin of the default chain, or the `use` of an earlier entry. Entries with the same anchor keep their order. */
  readonly after?: string
  /** Plugin above which this one is placed, named as in `after`. Set exactly one of the two. */
  readonly before?: string
  /** Options of the plugin, as its schema defines them. */
  readonly options: JsonObject
}

export interface ModelDiscovery {
  /** The servers whose models are served: one at `url`, or those that `dns` finds. */
  readonly discover: {
    /** Base URL of one server, with its version prefix: `http://127.0.0.1:8000/v1`. */
    readonly url?: string
    /** The name of several servers, with the members of an entry of `backends` that has `discover: dns`. */
    readonly dns?: {
      /** The name to look up, such as `vllm.default.svc`; for `SRV`, with service and protocol. */
      readonly name: string
      /** With `discover: dns`: type of the records. `A`: IPv4 addresses; `AAAA`: IPv6 addresses; `SRV`: names and ports of servers, and their addresses; priorities and weights count (RFC 2782). */
      readonly type?: 'A' | 'AAAA' | 'SRV'
      /** Port of each backend found by `A` or `AAAA` records, or by a target without a port. `SRV` records have their own. */
      readonly port?: number
      /** With `discover`: scheme of the base URL of each backend. With `https`, certificates must have the name of the backend: that of the `SRV` record, the target of the file, or the address. */
      readonly scheme?: 'http' | 'https'
      /** With `discover`: path of the base URL of each backend, with its version prefix. */
      readonly base_path?: string
      /** With `discover: dns`: DNS servers to ask, `10.0.0.10` or `10.0.0.10:5353`; IPv6 with a port as `[::1]:5353`. */
      readonly servers?: readonly string[]
    }
    /** Seconds between two questions to each server. */
    readonly every_seconds: number
  }
  /** Ids that are served, such as `Qwen/*`. `*` stands for any text, including `/`. */
  readonly allow: readonly string[]
  /** Members of each model that is found, as in an entry of `models`, except `id` and `aliases`. They replace what the probe finds; with `capabilities`, models are not probed. Members of the single entry of `backends`, such as `api_key`, apply to each server. */
  readonly defaults: {
    /** Kind of the model, which decides its routes. `chat`: the chat APIs and text completions; `embedding`: `/v1/embeddings`; `rerank`: `/v1/rerank` and `/v2/rerank`; `score`: `/v1/score`; `classify`: `/v1/classify`; `transcription`: `/v1/audio/transcriptions` and `/v1/audio/translations`; `speech`: `/v1/audio/speech`; `image`: `/v1/images/generations` and `/v1/images/edits`; `moderation`: `/v1/moderations`. On any other route: 400 `unsupported_feature`. */
    readonly kind?: 'chat' | 'embedding' | 'rerank' | 'score' | 'classify' | 'transcription' | 'speech' | 'image' | 'moderation'
    /** Owner in the model list. */
    readonly owned_by?: string
    /** Creation time in the model list, in seconds since 1970-01-01 UTC. */
    readonly created?: number
    /** Context window, in tokens. Requests that exceed it are refused with `context_length_exceeded`. If every backend reports a smaller window, the largest of those counts. */
    readonly max_model_len?: number
    readonly pricing?: Pricing
    /** `fixed`: the server enforces its own sampling. temperature, top_p, n, presence_penalty and frequency_penalty are removed from requests. */
    readonly sampling?: 'free' | 'fixed'
    /** Features of each model. With this member, models are not probed. */
    readonly capabilities?: Capabilities
    /** Request members of the engine that chat completions and text completions send to it as they are: names such as `stop_token_ids`, `chat_template_kwargs.*` for all chat template arguments, or a named set, `vllm` or `sglang`. Only those are sent that the profiles of all backends list in `passthrough_members`; any other is refused as `unsupported_parameter` (docs/ENGINES.md#members-for-the-engine). */
    readonly passthrough?: readonly string[]
    /** Maximum number of requests in flight on this model, over all routes, backends and processes of one `limits_store` (docs/LIMITS.md#places). Above the limit: 429 `backend_at_capacity`. */
    readonly max_concurrency?: number
    /** Choice of a backend. */
    readonly routing?: Routing
    /** Queue for requests while every backend is full. */
    readonly queue?: Queue
    /** Models that serve a request, in this order, if no backend of this model is available or has capacity, and nothing was sent to the client. They must have its capabilities, and the account must be allowed to use them (docs/ROUTING.md#fallback). */
    readonly fallback?: readonly string[]
    readonly mirror?: Mirror
    /** A single entry without an address. */
    readonly backends: readonly Backend[]
  }
}

/** Prices, in cents. Tokens, in `input` and `output`, are charged if the backend reports them. `per_million_characters`, `per_image` and `per_minute` are for models without tokens, and for replies that report none. */
export interface Pricing {
  /** Price of a million prompt tokens. Requires `output`. */
  readonly input?: number
  /** Price of a million prompt tokens that were read from the cache. */
  readonly cached_input?: number
  /** Price of a million generated tokens, including reasoning. Requires `input`. */
  readonly output?: number
  /** Kinds `speech` and `moderation`: price of a million characters of `input`. */
  readonly per_million_characters?: number
  /** Kind `image`: price of an image. */
  readonly per_image?: number
  /** Kind `transcription`: price of a minute of audio. */
  readonly per_minute?: number
}

export interface Capabilities {
  /** The model accepts images. */
  readonly vision?: boolean
  /** The model can call tools. */
  readonly tools?: boolean
  /** `true`: the model reasons when a request asks for it. `always`: reasoning cannot be switched off. A request to disable it counts as enabled, and forced tool calls are refused. */
  readonly reasoning: false | true | 'always'
  /** Effort of reasoning. */
  readonly reasoning_effort: {
    /** Effort of requests that set none. On the Responses API it also applies to requests that do not mention reasoning: without this member, or with `none`, they run without reasoning. */
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
  /** Flags on the model card for the Responses API, such as `reasoning: true`. Clients see them; they have no other effect. */
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
  /** Maximum number of waiting requests in each process. Above it, the account with the most waiting requests gets 429 `backend_at_capacity`. */
  readonly max: number
  /** Longest wait, in milliseconds. After it: 429 `backend_at_capacity`. */
  readonly max_wait_ms: number
  /** Order of requests with the same `plans.<name>.priority`. `account`: the account with the fewest served tokens first. */
  readonly fair: 'account'
}

/** Also sends a share of the answered requests of this model to another model, and discards its answers (docs/ROUTING.md#mirror). */
export interface Mirror {
  /** The other model, of kind `chat`. */
  readonly to: string
  /** Share of the requests. */
  readonly percent: number
}

export interface Backend {
  /** Base URL with its version prefix: `http://127.0.0.1:8000/v1`. `sluiceway probe URL` prints the engine and its profile. Required, unless there is `discover`. */
  readonly url?: string
  /** Instead of `url`: finds a changing set of backends. `dns`: the addresses of a name. `file`: the targets of a file in the format of Prometheus' `file_sd`. The other members of this entry apply to each backend (docs/ROUTING.md#backends-that-come-and-go). */
  readonly discover?: 'dns' | 'file'
  /** With `discover: dns`: the name to look up, such as `vllm.default.svc`; for `SRV`, with service and protocol: `_http._tcp.vllm.default.svc`. The system's search domains apply, unless `servers` is set or the name ends with a dot. */
  readonly name?: string
  /** With `discover: dns`: type of the records. `A`: IPv4 addresses; `AAAA`: IPv6 addresses; `SRV`: names and ports of servers, and their addresses; priorities and weights count (RFC 2782). */
  readonly type?: 'A' | 'AAAA' | 'SRV'
  /** Port of each backend found by `A` or `AAAA` records, or by a target without a port. `SRV` records have their own. */
  readonly port?: number
  /** With `discover`: scheme of the base URL of each backend. With `https`, certificates must have the name of the backend: that of the `SRV` record, the target of the file, or the address. */
  readonly scheme?: 'http' | 'https'
  /** With `discover`: path of the base URL of each backend, with its version prefix. */
  readonly base_path?: string
  /** With `discover: file`: the file, in YAML or JSON: a list of `{ targets: ["10.0.0.1:8000"] }`. Relative to the directory of the configuration. */
  readonly path?: string
  /** With `discover`: seconds between lookups. DNS answers with a shorter time to live are looked up sooner, but not more than once a second. */
  readonly every_seconds?: number
  /** With `discover: dns`: DNS servers to ask, `10.0.0.10` or `10.0.0.10:5353`; IPv6 with a port as `[::1]:5353`. */
  readonly servers?: readonly string[]
  /** Name of the model on that server. */
  readonly model?: string
  /** Engine of the server, which selects a profile of its differences. `openai`: any other server with OpenAI's API. If the server reports that it is another engine, the profile of that one counts. */
  readonly engine: 'vllm' | 'sglang' | 'llama.cpp' | 'openai'
  /** Members of the engine's profile that differ on this server. */
  readonly profile: Profile
  /** This server retains no data. Requests that require zero data retention are sent only to such backends. */
  readonly zdr: boolean
  /** Relative speed of the server among the backends of the model, not a share of the requests. The policy `cost` divides the wait in its queue by it, so it has no effect on an idle server. `least_load` draws by it and divides the requests in flight by it. 0: it receives no new requests (docs/ROUTING.md#weight). */
  readonly weight: number
  /** This server receives no new requests; requests in flight continue. `sluiceway backends drain` does the same without a change of the file. */
  readonly drain: boolean
  /** Maximum number of requests in flight of this model on this backend, over all processes of one `limits_store` (docs/LIMITS.md#places). The largest value of the backends with one `url`, of all models, also limits their requests together. */
  readonly max_concurrency?: number
  /** TLS to this server, for every request. The files are read at the start and at a reload. */
  readonly tls?: {
    /** PEM file of the certificates that may sign the server's certificate, in place of public authorities. */
    readonly ca?: string
    /** PEM file of the client certificate with its chain. Needs `key`. */
    readonly cert?: string
    /** PEM file of the private key of `cert`. */
    readonly key?: string
    /** Name that is requested (SNI), and that the server's certificate must have. */
    readonly servername?: string
  }
  /** HTTP proxy to this server, such as `http://10.0.0.5:3128`, for every request. It is asked to open a tunnel (CONNECT), also for a server without TLS. */
  readonly proxy?: string
  /** Known values of this server for the policy `cost` of `routing`. Absent members are learnt (docs/ROUTING.md). */
  readonly routing: {
    /** Prompt tokens that the server computes in a second. */
    readonly prefill_tokens_per_second?: number
    /** Milliseconds between two tokens of an answer while the server has little load. */
    readonly decode_step_ms?: number
    /** Position in a prompt at which attention doubles the time to compute a token. */
    readonly attention_tokens?: number
    /** Size of the server's prefix cache, in tokens. */
    readonly cache_tokens?: number
  }
  /** Sent as `Authorization: Bearer`. The keys of clients are never sent to a backend. */
  readonly api_key?: string
  /** Additional headers of every request to this server. */
  readonly headers: {
    readonly [k: string]: string
  }
}

export interface Profile {
  /** Version of the engine to which the other fields apply, as text; `null`: no particular one. It has no effect. */
  readonly engine_version?: string | null
  /** Member of `chat_template_kwargs` that switches reasoning; `null`: none. */
  readonly thinking_kwarg?: 'enable_thinking' | 'thinking' | null
  /** Values of `reasoning_effort` that the server accepts. */
  readonly efforts?: readonly string[]
  /** Members of a request for a JSON Schema, a regular expression or a grammar. */
  readonly structured?: 'structured_outputs' | 'sglang' | 'llama.cpp' | 'response_format_only'
  /** Format of `POST /tokenize`; `none`: token counts are estimates. */
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
  /** In a stream of several choices, each usage counts one choice; otherwise the last usage counts all. */
  readonly usage_per_choice?: boolean
  /** Finish reasons of the server by name, if they mean something else than the gateway assumes; `error`: the answer was given up. */
  readonly finish_reasons?: {
    readonly [k: string]: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error'
  }
  /** The member of a request that makes the server count tokens in each chunk of a stream: `stream_options.continuous_usage_stats`, or llama-server's `timings_per_token`. A server that ignores it counts at the end. */
  readonly running_usage?: 'continuous_usage_stats' | 'timings_per_token'
  /** A stream may have tools and log probabilities together. Otherwise such streams are refused, and such JSON replies are requested as JSON even with `always_stream`. */
  readonly stream_tools_logprobs?: boolean
  /** Members of text completions that the server supports. `echo` and `suffix` are the defaults of the model's capabilities of the same names; `best_of` above `n` is refused without it. */
  readonly text_members?: readonly ('echo' | 'suffix' | 'best_of')[]
  /** Request members of the server that `passthrough` of a model may name. `chat_template_kwargs.*` are all members of `chat_template_kwargs`. Members that the gateway reads or sets itself are refused. */
  readonly passthrough_members?: readonly string[]
  /** Maximum number of stop strings on the server; `null`: the gateway's maximum. A request with more is refused. */
  readonly max_stop_strings?: number | null
  /** The value of `top_k` that means all tokens. */
  readonly top_k_all?: 0 | -1
  /** Images may have `detail: original`; otherwise it is sent as `high`. */
  readonly image_detail_original?: boolean
  /** The order of `priority` in the server's scheduler; `null`: the gateway sends none. Its value is that of the account's plan (`plans.<name>.priority`), negated for `lower_first`. */
  readonly priority?: 'lower_first' | 'higher_first' | null
  /** The server first drops from its prefix cache what requests of the lowest `priority` have left. Requests of batches then take no prefixes from others. */
  readonly cache_by_priority?: boolean
  /** The server accepts `cache_salt`, which isolates parts of its prefix cache (`cache_isolation`). */
  readonly cache_salt?: boolean
  /** Path of the health check below the root of the server; `null`: no health check. */
  readonly health_path?: string | null
  /** Path below the root of the server that reports the size of its KV cache: Prometheus metrics of vLLM or SGLang, or llama-server's slots. The gateway reads it after successful health checks, for routing; `null`: the size is learnt. */
  readonly cache_path?: string | null
  /** Paths that the server serves at its root instead of below the version prefix: `/classify` instead of `/v1/classify`. */
  readonly root_paths?: readonly ('/embeddings' | '/rerank' | '/score' | '/classify')[]
  /** Texts that identify a 503 or an in-band error as a full queue: 429 `backend_at_capacity`. Case does not matter. */
  readonly queue_full_patterns?: readonly string[]
  /** Texts that identify a refusal as a prompt longer than the context window: `context_length_exceeded`. Case does not matter. */
  readonly context_patterns?: readonly string[]
  /** Texts that identify a 500 as an error of the request, such as an image that cannot be decoded: 400 `model_request_rejected`, or `context_length_exceeded` if `context_patterns` also match. Case does not matter. */
  readonly refusal_patterns?: readonly string[]
  /** Texts that identify a 503 or an in-band error as a request that ran for longer than the server allows: 504 `backend_timeout`, and no other backend is tried. Case does not matter. */
  readonly timeout_patterns?: readonly string[]
  /** Texts that identify a 400 as a model that the server does not have or has not loaded: 502 `backend_http_error`, as after a 404. Case does not matter; `*` matches any characters. */
  readonly missing_model_patterns?: readonly string[]
}

export interface Model {
  /** Name of the model in requests and replies. */
  readonly id: string
  /** Other names of the model. A record keeps the name that was sent (`model_requested`) and the id (`model_resolved`). */
  readonly aliases: readonly string[]
  /** Kind of the model, which decides its routes. `chat`: the chat APIs and text completions; `embedding`: `/v1/embeddings`; `rerank`: `/v1/rerank` and `/v2/rerank`; `score`: `/v1/score`; `classify`: `/v1/classify`; `transcription`: `/v1/audio/transcriptions` and `/v1/audio/translations`; `speech`: `/v1/audio/speech`; `image`: `/v1/images/generations` and `/v1/images/edits`; `moderation`: `/v1/moderations`. On any other route: 400 `unsupported_feature`. */
  readonly kind: 'chat' | 'embedding' | 'rerank' | 'score' | 'classify' | 'transcription' | 'speech' | 'image' | 'moderation'
  /** Owner in the model list. */
  readonly owned_by?: string
  /** Creation time in the model list, in seconds since 1970-01-01 UTC. */
  readonly created: number
  /** Context window, in tokens. Requests that exceed it are refused with `context_length_exceeded`. If every backend reports a smaller window, the largest of those counts. */
  readonly max_model_len?: number
  /** Prices, in cents. Tokens, in `input` and `output`, are charged if the backend reports them. `per_million_characters`, `per_image` and `per_minute` are for models without tokens, and for replies that report none. */
  readonly pricing?: {
    /** Price of a million prompt tokens. Requires `output`. */
    readonly input?: number
    /** Price of a million prompt tokens that were read from the cache. */
    readonly cached_input?: number
    /** Price of a million generated tokens, including reasoning. Requires `input`. */
    readonly output?: number
    /** Kinds `speech` and `moderation`: price of a million characters of `input`. */
    readonly per_million_characters?: number
    /** Kind `image`: price of an image. */
    readonly per_image?: number
    /** Kind `transcription`: price of a minute of audio. */
    readonly per_minute?: number
  }
  /** `fixed`: the server enforces its own sampling. temperature, top_p, n, presence_penalty and frequency_penalty are removed from requests. */
  readonly sampling: 'free' | 'fixed'
  /** Features of the model. A request for any other feature is refused with an error, never ignored. */
  readonly capabilities: Capabilities
  /** Request members of the engine that chat completions and text completions send to it as they are: names such as `stop_token_ids`, `chat_template_kwargs.*` for all chat template arguments, or a named set, `vllm` or `sglang`. Only those are sent that the profiles of all backends list in `passthrough_members`; any other is refused as `unsupported_parameter` (docs/ENGINES.md#members-for-the-engine). */
  readonly passthrough: readonly string[]
  /** Maximum number of requests in flight on this model, over all routes, backends and processes of one `limits_store` (docs/LIMITS.md#places). Above the limit: 429 `backend_at_capacity`. */
  readonly max_concurrency?: number
  /** Choice of a backend, if it differs from `routing` of the gateway. */
  readonly routing?: Routing
  /** Queue for requests while every backend is at its `max_concurrency`, or the model is at its own (docs/ROUTING.md#queue). */
  readonly queue?: Queue
  /** Models that serve a request, in this order, if no backend of this model is available or has capacity, and nothing was sent to the client. They must have its capabilities, and the account must be allowed to use them (docs/ROUTING.md#fallback). */
  readonly fallback: readonly string[]
  /** Also sends a share of the answered requests of this model to another model, and discards its answers (docs/ROUTING.md#mirror). */
  readonly mirror?: {
    /** The other model, of kind `chat`. */
    readonly to: string
    /** Share of the requests. */
    readonly percent: number
  }
  /** Servers that run the model. Requests are distributed over the healthy ones. */
  readonly backends: readonly Backend[]
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
  /** Maximum number of requests in flight of an account. Above the limit: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  readonly limits?: RequestLimits
  /** Priority of its accounts in the queue of a model (`queue`), and on engines whose profile has a `priority`; a higher number is served first. */
  readonly priority: number
  /** Quota: requests that are included in a window of time. Above it: 429 `request_quota_exceeded`. */
  readonly requests?: {
    /** Number of requests in a window. */
    readonly limit: number
    /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `7d`; at most a year. Windows are contiguous and start at 1970-01-01 00:00 UTC. */
    readonly window: string
  }
  /** Batches of its accounts. `false`: none, 403 `http_403`. */
  readonly batches:
    | {
        /** Price of a request in a batch, as a factor of its model's price. */
        readonly price_factor: number
      }
    | false
}

/** Limits of requests to models. In a plan they apply to all keys of an account together, in a key to its own requests. */
export interface RequestLimits {
  /** Requests in any minute. Above it: 429 `rate_limit_exceeded`. In a plan it replaces `inference_per_minute` of the plugin rate-limit. */
  readonly requests_per_minute?: number
  /** Tokens in any minute, input and output: estimated when a request begins, settled when it ends. Above it: 429 `rate_limit_exceeded`. */
  readonly tokens_per_minute?: number
  /** Requests in flight. Above it: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  /** Spend limit: what requests may cost in a window of time, at the prices of the models; or up to 4 of them with different windows. Above it: 429 `rate_limit_exceeded`. */
  readonly budget_cents?:
    | {
        /** Cents in a window. */
        readonly amount: number
        /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `30d`; at most a year. Windows are contiguous and start at 1970-01-01 00:00 UTC. */
        readonly window: string
      }
    | readonly Budget[]
  /** Limits for the requests to one model, by id or alias, in addition to those above (docs/LIMITS.md#limits-of-models). */
  readonly models?: {
    readonly [k: string]: ModelLimits
  }
  /** Limits for each end user of the client, which the requests name (docs/LIMITS.md#limits-of-end-users). */
  readonly end_user?: EndUserLimits
}

export interface Budget {
  /** Cents in a window. */
  readonly amount: number
  /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `30d`; at most a year. Windows are contiguous and start at 1970-01-01 00:00 UTC. */
  readonly window: string
}

/** Limits of the requests to one model. */
export interface ModelLimits {
  /** Requests in any minute. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_minute?: number
  /** Tokens in any minute, input and output: estimated when a request begins, settled when it ends. Above it: 429 `rate_limit_exceeded`. */
  readonly tokens_per_minute?: number
  /** Requests in flight. Above it: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  /** Spend limit: what requests may cost in a window of time, at the prices of the models; or up to 4 of them with different windows. Above it: 429 `rate_limit_exceeded`. */
  readonly budget_cents?:
    | {
        /** Cents in a window. */
        readonly amount: number
        /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `30d`; at most a year. Windows are contiguous and start at 1970-01-01 00:00 UTC. */
        readonly window: string
      }
    | readonly Budget[]
}

export interface EndUserLimits {
  /** What names the end user. `header`: the header of the name below. `user`: `user` of the body; on Responses `safety_identifier`, else `user`; on Messages `metadata.user_id`. Names have 1 to 256 bytes; without one, the end user is `none`. */
  readonly from: 'header' | 'user'
  /** Name of the header that names the end user, with `from: header`. */
  readonly header?: string
  /** Records also keep the name as the client sent it, except under zero data retention. Otherwise they keep only a keyed hash of it. */
  readonly label: boolean
  /** Requests in any minute. Above it: 429 `rate_limit_exceeded`. */
  readonly requests_per_minute?: number
  /** Tokens in any minute, input and output: estimated when a request begins, settled when it ends. Above it: 429 `rate_limit_exceeded`. */
  readonly tokens_per_minute?: number
  /** Spend limit: what requests may cost in a window of time, at the prices of the models; or up to 4 of them with different windows. Above it: 429 `rate_limit_exceeded`. */
  readonly budget_cents?:
    | {
        /** Cents in a window. */
        readonly amount: number
        /** Length of a window: a number and `m`, `h` or `d`, such as `1h`, `1d` or `30d`; at most a year. Windows are contiguous and start at 1970-01-01 00:00 UTC. */
        readonly window: string
      }
    | readonly Budget[]
}

export interface Account {
  /** UUID that never changes; clients see it as `pass_account_id`. Create one with `uuidgen`. */
  readonly id: string
  /** Name of the account for operators. */
  readonly name?: string
  /** `serverless`: has usage reports of the team. `enterprise`: has pass keys. `dedicated`: uses dedicated endpoints only. */
  readonly kind: 'serverless' | 'enterprise' | 'dedicated'
  /** Name of an entry of `plans`. */
  readonly plan?: string
  /** Zero data retention by policy: every request of this account is sent to backends with `zdr: true`, or refused. */
  readonly zdr_required: boolean
  /** Ids or aliases of the models that the account may use; `*`: all. Requests for other models are refused with 403 `model_not_allowed`. */
  readonly models: readonly string[]
  /** Initial prepaid balance, in cents. `sluiceway credits add` adds to it. */
  readonly credits_cents?: number
  /** Sets `chat.usage_chunks`, `messages.input_tokens`, `responses.untyped_items`, `responses.unknown_tools`, `tools.empty_parameters`, `reasoning.other_efforts` and `errors.used_up`, except members that are also set here. `agents`: to `last`, `uncached`, `message`, `drop`, `accept`, `nearest` and `402`. `default`: to the values of the gateway. */
  readonly client_profile?: 'default' | 'agents'
  readonly chat?: Chat
  readonly messages?: Messages
  readonly responses?: Responses
  readonly tools?: Tools
  readonly reasoning?: Reasoning
  readonly errors?: Errors
  /** Users of this account. */
  readonly members: readonly Member[]
  /** API keys of this account. */
  readonly keys: readonly Key[]
}

/** Options of chat completions that differ here. */
export interface Chat {
  /** Chunks of a chat completion stream that carry `usage`. `every`: every chunk after the backend's first count; vLLM, SGLang and llama.cpp count from the first token. `last`: only the chunk before `[DONE]`. */
  readonly usage_chunks?: 'every' | 'last'
}

/** Options of the Messages API that differ here. */
export interface Messages {
  /** `on`: `thinking: {type: adaptive}` switches reasoning on if the model can reason. `off`: only `{type: enabled}` does. */
  readonly adaptive_thinking?: 'on' | 'off' | true | false
  /** Images in a tool result, for a model without vision. `refuse`: 400 `model_request_rejected`. `describe`: a line of text replaces the image. */
  readonly tool_images_without_vision?: 'refuse' | 'describe'
  /** Meaning of `usage.input_tokens` on Messages. `total`: all input tokens. `uncached`: without `cache_read_input_tokens`. */
  readonly input_tokens?: 'total' | 'uncached'
}

/** Options of the Responses API that differ here. */
export interface Responses {
  /** Tools of a type that only its vendor can run. `reject`: 400 `invalid_tool`. `drop`: they are removed. */
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

/** Options of reasoning that differ here. */
export interface Reasoning {
  /** The efforts `minimal` and `xhigh` on chat completions. `refuse`: 422 `schema_validation_failed`. `nearest`: `minimal` is `low`; `xhigh` is sent as on Responses, or as the strongest effort that the engine accepts. */
  readonly other_efforts?: 'refuse' | 'nearest'
}

/** Options of errors that differ here. */
export interface Errors {
  /** Status of `request_quota_exceeded`, and of `rate_limit_exceeded` of a spend limit. `429`: with `Retry-After`. `402`: without; for clients that repeat every 429, or wait for `Retry-After`, whatever `x-should-retry` says. */
  readonly used_up?: 429 | 402
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
  /** Member that owns the key. A key without a user is a legacy key: it works for inference and owns no files. */
  readonly user?: string
  /** `serverless` and `pass` keys are valid on the gateway, `dedicated` keys on the hosts in `endpoints`. */
  readonly kind: 'serverless' | 'pass' | 'dedicated'
  /** The key as the client sends it. Only its SHA-256 is kept in memory. Set either this or `sha256`. Prefer `${NAME}` or `sha256` to a secret in the file. */
  readonly secret?: string
  /** SHA-256 of the secret in hex: `printf %s "$SECRET" | sha256sum`. */
  readonly sha256?: string
  /** Hosts of the dedicated endpoints on which the key is valid. */
  readonly endpoints: readonly string[]
  readonly limits?: RequestLimits
  /** Sets `chat.usage_chunks`, `messages.input_tokens`, `responses.untyped_items`, `responses.unknown_tools`, `tools.empty_parameters`, `reasoning.other_efforts` and `errors.used_up`, except members that are also set here. `agents`: to `last`, `uncached`, `message`, `drop`, `accept`, `nearest` and `402`. `default`: to the values of the gateway. */
  readonly client_profile?: 'default' | 'agents'
  readonly chat?: Chat
  readonly messages?: Messages
  readonly responses?: Responses
  readonly tools?: Tools
  readonly reasoning?: Reasoning
  readonly errors?: Errors
}
