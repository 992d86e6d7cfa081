/** Generated from schemas/config.json by `npm run generate`. Do not edit. */
import type { JsonObject } from '../../base/json.ts'

/** The configuration of a Sluiceway gateway. docs/CONFIG.md explains it. */

export interface ConfigFile {
  /** For editors of JSON files: where this schema is. No effect. */
  readonly $schema?: string
  /** The service's own name, as clients see it: header `Service-ZDR`, field `service.capabilities`, header `x-service-…`. Keys made by `sluiceway keys create` start with it and an underscore. Keys of your own may look otherwise. */
  readonly brand: string
  /** Where errors are documented: `error.docs_url` is this, a slash and the error's code. */
  readonly docs_url?: string
  /** Where customers buy credits: `topup_url` of the error `insufficient_credits`. */
  readonly topup_url?: string
  /** Where clients connect. */
  readonly listen: Listen
  /** Where operators connect: /metrics, /livez and /readyz. `false` switches it off. Never expose it to clients. */
  readonly admin:
    | {
        /** Address to listen on. */
        readonly host: string
        /** Port to listen on; 0 for any that is free. */
        readonly port: number
      }
    | false
  /** Which Host header reaches which surface. The port in the header is ignored. One host may serve both surfaces; the host of every entry of `endpoints` serves that dedicated endpoint alone. */
  readonly hosts: Hosts
  /** Where keys, usage and request records live: `sqlite:` and the path of a file, or a `postgres://` URL. `sqlite::memory:` forgets everything at the end. */
  readonly store: string
  /** Where concurrency, quotas, rates and credit are counted: `memory` for one process, a `redis://` or `rediss://` URL for several. docs/LIMITS.md tells how to name a cluster or sentinels. */
  readonly limits_store: string
  /** Directory in which request records wait for the store. They survive a crash of the gateway and an outage of the store here, so it must be on a local disk. */
  readonly journal: string
  /** How long request records are kept. Older ones are deleted. */
  readonly retention_days: number
  /** Processes on this machine that share the port. More than one needs Redis as `limits_store`. */
  readonly workers: number
  /** How long the port stays open after SIGTERM or SIGINT, while /readyz says `draining`: time for a load balancer to notice. `drain_seconds` begin after it. */
  readonly drain_delay_seconds: number
  /** How long running streams may go on after SIGTERM or SIGINT, before they are cut. */
  readonly drain_seconds: number
  /** How long the gateway waits for others, in milliseconds. */
  readonly timeouts: Timeouts
  /** Largest request body. A larger one is refused with 413 `request_body_too_large`. */
  readonly body_limit_bytes: number
  /** Requests a minute that one key may send to each route of the management API, and to the Files API. */
  readonly rate_limits_per_minute: RateLimits
  /** Files that clients upload to refer to them by `file_id`. */
  readonly files: Files
  /** Fetching of images that clients name by URL. */
  readonly image_fetch: {
    /** Private networks from which images may be fetched, in CIDR notation, such as `10.1.0.0/16`. Public addresses are always allowed, all others never. */
    readonly allow: readonly string[]
  }
  /** Calls from browsers. Off unless an origin is named. */
  readonly cors: {
    /** Origins that may call, such as `https://app.example.com`; `*` for every origin. */
    readonly origins: readonly string[]
  }
  /** The log: one JSON object per line. It never holds a prompt, an answer or a key. */
  readonly log: {
    /** Least severe level that is written. */
    readonly level: 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  }
  /** Switches of the Messages API. An account may differ. */
  readonly messages: {
    /** Whether `thinking: {type: adaptive}` turns reasoning on where the model can reason. Off, only `{type: enabled}` does. */
    readonly adaptive_thinking: 'on' | 'off' | true | false
    /** What happens to an image inside a tool result on a model without vision: `refuse` answers 400, `describe` puts a line of text in its place that says an image was left out. */
    readonly tool_images_without_vision: 'refuse' | 'describe'
  }
  /** Switches of the Responses API. An account may differ. */
  readonly responses: {
    /** What happens to tools of a type that only its vendor can run: `reject` answers 400 `invalid_tool`, `drop` leaves them out. */
    readonly unknown_tools: 'reject' | 'drop'
    /** Whether stream events carry `sequence_number`. Some strict clients need it. */
    readonly sequence_number: boolean
  }
  /** Formats on which a token limit larger than the room left in the context window is lowered to that room instead of refused. */
  readonly clamp_max_tokens: readonly ('chat' | 'completions' | 'messages' | 'responses')[]
  /** The chain of plugins that every request runs through. A list is the whole chain, top to bottom: a built-in plugin that it does not name does not run, which is noted at the start. An object changes the default chain, and plugins that a later version adds to that chain then run as well. `sluiceway explain` prints what each route runs. */
  readonly plugins?: readonly Plugin[] | PluginChanges
  /** The models that are served. */
  readonly models: readonly Model[]
  /** Dedicated endpoints: hosts of their own for single customers. */
  readonly endpoints: readonly Endpoint[]
  /** What accounts may use, by the plan's name. */
  readonly plans: {
    readonly [k: string]: Plan
  }
  /** Accounts that stand in this file. `sluiceway keys` adds keys that live in the store. */
  readonly accounts: readonly Account[]
}

export interface Listen {
  /** Address to listen on: `127.0.0.1` for this machine alone, `0.0.0.0` or `::` for every network interface. */
  readonly host: string
  /** Port to listen on; 0 for any that is free. */
  readonly port: number
  /** Serve HTTPS with this certificate. */
  readonly tls?: {
    /** PEM file of the certificate, with its chain. */
    readonly cert: string
    /** PEM file of the private key. */
    readonly key: string
  }
}

export interface Hosts {
  /** Hosts of the serverless gateway: inference. */
  readonly gateway?: readonly string[]
  /** Hosts of the account and endpoint management API. */
  readonly api?: readonly string[]
}

export interface Timeouts {
  /** How long a client may take to send the head of a request. Then it gets 408. */
  readonly headers_ms: number
  /** How long it may take to send the whole request, body included. Then it gets 408. */
  readonly request_ms: number
  /** Longest wait for a connection to a backend, TLS included. Then another backend is tried. */
  readonly connect_ms: number
  /** Longest wait for a backend's first event, or the head of its JSON answer. Then the client gets 504 `backend_timeout`. */
  readonly first_byte_ms: number
  /** Longest silence of a backend in the middle of an answer. Then the stream fails. */
  readonly idle_ms: number
  /** How long a client may leave what was written to it unread. Then its connection is closed and the backend freed. */
  readonly client_idle_ms: number
  /** Silence on a stream after which the client is sent a comment, so that proxies between do not close the connection. */
  readonly keep_alive_ms: number
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
  /** GET /v1/usage/me and /v1/usage/team, together. */
  readonly usage: number
  /** All routes of the Files API, together. */
  readonly files: number
}

export interface Files {
  /** Directory of the uploaded files and what is known of them. Several processes share it; on several machines it must be a shared file system. */
  readonly path: string
  /** Largest file. A larger one than the option `max_bytes` of the plugin images could be uploaded and never used. */
  readonly max_bytes: number
  /** Most bytes that the files of one user of an account take, all together. */
  readonly max_total_bytes_per_user: number
  /** Most files of one user of an account. */
  readonly max_files_per_user: number
  /** How long a file is kept from its upload on. Then it is deleted, whoever may still refer to it. */
  readonly retention_days: number
}

export interface Plugin {
  /** The name of a built-in plugin, a path that starts with `./`, `../` or `/`, or the name of an installed package. */
  readonly use: string
  /** `false` leaves the plugin out, and says so to the reader. */
  readonly enabled: boolean
  /** The plugin's own options. Its schema decides what they are; docs/PLUGINS.md has those of the built-in ones. */
  readonly options: JsonObject
}

export interface PluginChanges {
  /** The chain that is changed. `default`: config/default-chain.yaml. */
  readonly base: 'default'
  /** Names of plugins of the default chain that do not run. */
  readonly off: readonly string[]
  /** Options of plugins of the default chain, by the plugin's name. docs/plugins has a page with the options of each. */
  readonly options: {
    readonly [k: string]: JsonObject
  }
  /** Plugins that run beside those of the default chain. */
  readonly add: readonly PluginAddition[]
}

export interface PluginAddition {
  /** A path that starts with `./`, `../` or `/`, the name of an installed package, or the name of a built-in plugin that `off` names, to move it. */
  readonly use: string
  /** The plugin that it stands below: the name of a plugin of the default chain, or the `use` of an entry above. Entries with the same anchor keep their order. */
  readonly after?: string
  /** The plugin that it stands above. Give either this or `after`. */
  readonly before?: string
  /** The plugin's own options, as its schema defines them. */
  readonly options: JsonObject
}

export interface Model {
  /** The name clients send, and the name they get back. */
  readonly id: string
  /** Other names for it. A record keeps what was sent (`model_requested`) and the id (`model_resolved`). */
  readonly aliases: readonly string[]
  /** Shown in the model list. */
  readonly owned_by?: string
  /** Shown in the model list, as seconds since 1970. */
  readonly created: number
  /** Context window in tokens. A request past it is refused with `context_length_exceeded`. */
  readonly max_model_len?: number
  /** Prices that are billed, in cents per million tokens. */
  readonly pricing?: {
    /** Prompt tokens. */
    readonly input: number
    /** Prompt tokens read from the cache. */
    readonly cached_input?: number
    /** Generated tokens, reasoning included. */
    readonly output: number
  }
  /** `fixed`: the upstream enforces its own sampling, so temperature, top_p, n, presence_penalty and frequency_penalty are removed before a request is sent. */
  readonly sampling: 'free' | 'fixed'
  /** What the model can do. What it cannot do is refused with an error and never ignored. */
  readonly capabilities: Capabilities
  /** Requests in flight at once on this model, over all routes and backends. Over it: 429 `backend_at_capacity`. */
  readonly max_concurrency?: number
  /** The servers that run the model. Requests are spread over the healthy ones. */
  readonly backends: readonly Backend[]
}

export interface Capabilities {
  /** The model sees images. */
  readonly vision?: boolean
  /** The model can call tools. */
  readonly tools?: boolean
  /** `true`: the model can reason, and does when asked. `always`: it cannot be switched off, so requests to disable it count as enabled and forced tool calls are refused. */
  readonly reasoning: false | true | 'always'
  /** How much a reasoning model reasons. */
  readonly reasoning_effort: {
    /** Effort of requests that ask for none. It also decides whether the Responses API reasons without being asked: absent or `none`, it does not. */
    readonly default?: 'none' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'
  }
  /** What works on chat and text completions. */
  readonly chat_completions: {
    /** More than one choice per request. */
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
    /** Reasoning of earlier turns can be carried into the next one. */
    readonly preserve_thinking: boolean
    /** Text completions can begin with their prompt. Set it to `false` for servers that overlook it, such as llama.cpp. */
    readonly echo: boolean
    /** Text completions can end before a text that is given. Set it to `false` for servers that overlook it. */
    readonly suffix: boolean
  }
  /** What works on the Messages API. */
  readonly messages: {
    /** Images are accepted there. */
    readonly vision?: boolean
  }
  /** Flags to show on the model card for the Responses API, such as `reasoning: true`. They are shown, nothing else. */
  readonly responses: {
    readonly [k: string]: boolean
  }
  /** What differs from `chat_completions` on the backends with zero data retention. */
  readonly zdr: {
    /** More than one choice per request. */
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
    /** Reasoning of earlier turns can be carried into the next one. */
    readonly preserve_thinking?: boolean
    /** Text completions can begin with their prompt. Set it to `false` for servers that overlook it, such as llama.cpp. */
    readonly echo?: boolean
    /** Text completions can end before a text that is given. Set it to `false` for servers that overlook it. */
    readonly suffix?: boolean
  }
}

export interface Backend {
  /** Base URL with its version prefix: `http://127.0.0.1:8000/v1`. `sluiceway probe URL` prints what stands behind it. */
  readonly url: string
  /** The model's name on that server. */
  readonly model?: string
  /** What the server runs: a named set of facts about how it differs. `openai` for anything else that speaks OpenAI's API. */
  readonly engine: 'vllm' | 'sglang' | 'llama.cpp' | 'openai'
  /** Single facts of the engine that are different on this server. */
  readonly profile: Profile
  /** Nothing that passes through this server is retained. Requests that require zero data retention go to such backends alone. */
  readonly zdr: boolean
  /** Share of the requests, relative to the other backends of the model. */
  readonly weight: number
  /** Requests in flight at once on this server. */
  readonly max_concurrency?: number
  /** Sent as `Authorization: Bearer`. A client's own key never reaches a backend. */
  readonly api_key?: string
  /** Further headers for every request to this server. */
  readonly headers: {
    readonly [k: string]: string
  }
}

export interface Profile {
  /** Member of `chat_template_kwargs` that switches reasoning; `null`: there is none. */
  readonly thinking_kwarg?: 'enable_thinking' | 'thinking' | null
  /** Values of `reasoning_effort` that the server takes. */
  readonly efforts?: readonly string[]
  /** Where a JSON Schema, regular expression or grammar goes in a request. */
  readonly structured?: 'structured_outputs' | 'sglang' | 'llama.cpp' | 'response_format_only'
  /** What `POST /tokenize` takes; `none`: token counts are estimates. */
  readonly tokenize?: 'messages' | 'prompt' | 'content' | 'none'
  /** The server reports no cached tokens where there were none, so a missing count is 0. Set it for SGLang with `--enable-cache-report`. */
  readonly cached_null_means_zero?: boolean
  /** The chat template takes system messages anywhere in the conversation. */
  readonly system_inline?: boolean
  /** The role `developer` is understood; else it is sent as `system`. */
  readonly developer_role?: boolean
  /** `tool_choice` may name a function; else that one tool is sent with `required`. */
  readonly named_tool_choice?: boolean
  /** What the server calls `repetition_penalty`. */
  readonly repetition_penalty?: 'repetition_penalty' | 'repeat_penalty'
  /** The server gives log probabilities only where at least one alternative is asked for. */
  readonly logprobs_need_top?: boolean
  /** The server is asked for a stream even where the client wants one JSON reply, because it goes on generating when the connection of such a request breaks. */
  readonly always_stream?: boolean
  /** In a stream of several choices, each usage counts one of them; else the last counts all. */
  readonly usage_per_choice?: boolean
  /** Path of the health check below the server's root; `null`: there is none. */
  readonly health_path?: string | null
  /** Texts that mark a 503 or an error in a stream as a full queue: 429 `backend_at_capacity`. Upper and lower case are the same. */
  readonly queue_full_patterns?: readonly string[]
  /** Texts of a 400 that say the prompt is longer than the context window: `context_length_exceeded`. Upper and lower case are the same. */
  readonly context_patterns?: readonly string[]
  /** Texts of a 500 that is no fault of the server but of the request, such as an image that cannot be decoded: 400 `model_request_rejected`. Upper and lower case are the same. */
  readonly refusal_patterns?: readonly string[]
}

export interface Endpoint {
  /** The endpoint's host name. Requests with this Host header reach it and nothing else. */
  readonly host: string
  /** Ids or aliases of the models it serves. */
  readonly models: readonly string[]
}

export interface Plan {
  /** Shown as `plan_tier` when the quota is used up. */
  readonly tier?: string
  /** Requests in flight at once for the whole account. Over it: 429 `concurrency_limit_exceeded`. */
  readonly concurrency?: number
  /** Requests included in a window of time. Over it: 429 `request_quota_exceeded`. */
  readonly requests?: {
    /** How many requests. */
    readonly limit: number
    /** How long the window is: a number and `m`, `h` or `d`, such as `1h`, `1d` or `7d`. Windows follow each other without gap, the first at 1970-01-01 00:00 UTC. */
    readonly window: string
  }
}

export interface Account {
  /** A UUID that never changes; clients know it as `pass_account_id`. Make one with `uuidgen`. */
  readonly id: string
  /** For people. */
  readonly name?: string
  /** `serverless` accounts have team usage, `enterprise` accounts hold pass keys, `dedicated` accounts use dedicated endpoints alone. */
  readonly kind: 'serverless' | 'enterprise' | 'dedicated'
  /** Name of an entry of `plans`. */
  readonly plan?: string
  /** Zero data retention by policy: every request of this account goes to backends with `zdr: true` or is refused. */
  readonly zdr_required: boolean
  /** Ids or aliases of the models it may use; `*` for all. Others that exist are answered with 403 `model_not_allowed`. */
  readonly models: readonly string[]
  /** Prepaid balance to start with, in cents; `sluiceway credits add` adds to it. */
  readonly credits_cents?: number
  /** Switches of the Messages API for this account. */
  readonly messages?: {
    /** Whether `thinking: {type: adaptive}` turns reasoning on where the model can reason. Off, only `{type: enabled}` does. */
    readonly adaptive_thinking?: 'on' | 'off' | true | false
    /** What happens to an image inside a tool result on a model without vision: `refuse` answers 400, `describe` puts a line of text in its place that says an image was left out. */
    readonly tool_images_without_vision?: 'refuse' | 'describe'
  }
  /** Switches of the Responses API for this account. */
  readonly responses?: {
    /** What happens to tools of a type that only its vendor can run: `reject` answers 400 `invalid_tool`, `drop` leaves them out. */
    readonly unknown_tools?: 'reject' | 'drop'
    /** Whether stream events carry `sequence_number`. Some strict clients need it. */
    readonly sequence_number?: boolean
  }
  /** The people of this account. */
  readonly members: readonly Member[]
  /** Its API keys. */
  readonly keys: readonly Key[]
}

export interface Member {
  /** The person's name or e-mail address, unique in the account. */
  readonly user: string
  /** Owners and admins may read the usage of the whole team. */
  readonly role: 'owner' | 'admin' | 'member'
}

export interface Key {
  /** Names the key in logs, records and commands. Not secret; unique in this file. */
  readonly id: string
  /** The member it belongs to. Without one it is a legacy key: it works for inference but owns no files. */
  readonly user?: string
  /** `serverless` and `pass` keys open the gateway, `dedicated` keys open the hosts in `endpoints`. */
  readonly kind: 'serverless' | 'pass' | 'dedicated'
  /** What the client sends. Only its SHA-256 is kept in memory. Give either this or `sha256`; prefer `${NAME}` or `sha256` to a secret in a file. */
  readonly secret?: string
  /** SHA-256 of the secret in hex: `printf %s "$SECRET" | sha256sum`. */
  readonly sha256?: string
  /** Hosts of the dedicated endpoints it opens. */
  readonly endpoints: readonly string[]
}
