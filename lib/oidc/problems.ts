/** What openid-client throws, as reasons and in words. Its errors carry tokens and answers, so none of them is passed on. */
import { SignInFailure, type SignInFailureReason } from './failure.ts'

/** What the gateway was asking of the issuer. */
export type IssuerRequest = 'discovery' | 'tokens' | 'userinfo'

/** An answer that is none, whichever question it belongs to. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'it takes too long',
  OAUTH_ABORT: 'the connection was closed',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it answers with another status than 200',
  OAUTH_RESPONSE_IS_NOT_JSON: 'it answers with something else than JSON',
  OAUTH_PARSE_ERROR: 'its answer is no valid JSON',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'it has an endpoint without TLS',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'it has an endpoint that is no http or https URL',
  OAUTH_MISSING_SERVER_METADATA: 'its discovery document lacks an endpoint',
  OAUTH_INVALID_SERVER_METADATA: 'its discovery document has an endpoint that is no URL',
}

/** What is wrong with an answer that has come. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'the ID token has expired or is not valid yet',
  OAUTH_KEY_SELECTION_FAILED: 'none of its keys has signed the ID token',
  OAUTH_UNSUPPORTED_OPERATION: 'the ID token is not signed, or by an algorithm that is not accepted',
}

/** Errors of an authorization endpoint that mean no. */
const DENIALS = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'account_selection_required',
])

/** The failure behind an error of the library, or a failure as it is. */
export function failureIn(step: IssuerRequest, error: unknown, host: string): SignInFailure {
  if (error instanceof SignInFailure) return error
  const code = step === 'discovery' ? undefined : protocolError(error)
  const reason = reasonOf(step, error, code)
  return new SignInFailure(reason, host, code ?? problemOf(step, error))
}

/** In a few words that follow a colon. */
export function problemOf(step: IssuerRequest, error: unknown): string {
  const code = codeOf(error)
  if (error instanceof TypeError) return `it cannot be reached${networkCode(error)}`
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return step === 'discovery' ? 'its discovery document names another issuer' : 'userinfo is about somebody else'
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') return `claim '${claimIn(error)}' of the ID token is another one`
  return NO_ANSWER[code] ?? UNTRUSTED[code] ?? invalidAnswer(error)
}

function reasonOf(step: IssuerRequest, error: unknown, code: string | undefined): SignInFailureReason {
  if (step === 'discovery' || error instanceof TypeError || NO_ANSWER[codeOf(error)] !== undefined) return 'unreachable'
  if (code === undefined) return 'untrusted'
  if (codeOf(error) === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return DENIALS.has(code) ? 'denied' : 'refused'
  return code === 'invalid_grant' ? 'used' : 'client'
}

/** The member `error` of an answer that reports one, where it is such a code. */
function protocolError(error: unknown): string | undefined {
  if (codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'it asks for other credentials'
  const value = (error as { error?: unknown } | null | undefined)?.error
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[a-z_]{1,64}$/.test(value) ? value : 'an error without a name'
}

/** The library says what is not valid in sentences of its own, without values. */
function invalidAnswer(error: unknown): string {
  const cause = (error as { cause?: unknown } | null | undefined)?.cause
  return cause instanceof Error && codeOf(cause) === 'OAUTH_INVALID_RESPONSE'
    ? cause.message
    : 'its answer is not valid'
}

/** As openid-client calls it; empty: it has none. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** ` (ECONNREFUSED)` */
function networkCode({ cause }: Error): string {
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? ` (${code})` : ''
}

/** The library keeps the name of the claim among the causes. */
function claimIn(error: unknown): string {
  let cause: unknown = error
  for (let depth = 0; depth < 4 && typeof cause === 'object' && cause !== null; depth++) {
    const { claim } = cause as { claim?: unknown }
    if (typeof claim === 'string') return claim
    cause = (cause as { cause?: unknown }).cause
  }
  return '?'
}
