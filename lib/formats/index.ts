import type { Format, FormatName } from '../canonical/format.ts'
import { toCanonical as chatRequest } from './chat/request.ts'
import { ResponseCollector as ChatResponse } from './chat/response.ts'
import { StreamEncoder as ChatStream } from './chat/stream.ts'
import { toCanonical as completionsRequest } from './completions/request.ts'
import { ResponseCollector as CompletionsResponse } from './completions/response.ts'
import { StreamEncoder as CompletionsStream } from './completions/stream.ts'
import * as messagesErrors from './messages/errors.ts'
import { toCanonical as messagesRequest } from './messages/request.ts'
import { ResponseCollector as MessagesResponse } from './messages/response.ts'
import { StreamEncoder as MessagesStream } from './messages/stream.ts'
import * as openaiErrors from './openai/errors.ts'
import * as responsesErrors from './responses/errors.ts'
import { toCanonical as responsesRequest } from './responses/request.ts'
import { ResponseCollector as ResponsesResponse } from './responses/response.ts'
import { StreamEncoder as ResponsesStream } from './responses/stream.ts'

/** Every wire format by name. No other code imports from a format's folder. */
const FORMATS: Readonly<Record<FormatName, Format>> = {
  /** OpenAI's chat completions (docs/api/chat-completions.md). */
  chat: {
    name: 'chat',
    toCanonical: chatRequest,
    collector: context => new ChatResponse(context),
    encoder: (context, write) => new ChatStream(context, write),
    ...openaiErrors,
  },
  /** OpenAI's text completions (docs/api/completions.md). */
  completions: {
    name: 'completions',
    toCanonical: completionsRequest,
    collector: context => new CompletionsResponse(context),
    encoder: (context, write) => new CompletionsStream(context, write),
    ...openaiErrors,
  },
  /** Anthropic's Messages: POST /v1/messages and its count_tokens (docs/api/messages.md, docs/api/count-tokens.md). */
  messages: {
    name: 'messages',
    toCanonical: messagesRequest,
    collector: context => new MessagesResponse(context),
    encoder: (context, write) => new MessagesStream(context, write),
    ...messagesErrors,
  },
  /** OpenAI's Responses, stateless (docs/api/responses.md). */
  responses: {
    name: 'responses',
    toCanonical: responsesRequest,
    collector: context => new ResponsesResponse(context),
    encoder: (context, write) => new ResponsesStream(context, write),
    ...responsesErrors,
  },
}

/** The wire format with this name (`route.format`). */
export function formatOf(name: FormatName): Format {
  return FORMATS[name]
}
