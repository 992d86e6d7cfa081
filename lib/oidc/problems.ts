/** Converts errors of openid-client, which contain tokens and responses, to reasons and texts. */
import { SignInFailure, type SignInFailureReason } from './failure.ts'

/** The step of a sign-in that asks the issuer. */
export type IssuerRequest = 'discovery' | 'tokens' | 'userinfo'

/** Errors that mean that the issuer did not answer properly. */
const NO_ANSWER: Readonly<Record<string, string>> = {
  OAUTH_TIMEOUT: 'it takes too long',
  OAUTH_ABORT: 'the connection was closed',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it answers with another status than 200',
  OAUTH_RESPONSE_IS_NOT_JSON: 'it answers with something other than JSON',
  OAUTH_PARSE_ERROR: 'its answer is no valid JSON',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'it has an endpoint without TLS',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'it has an endpoint that is no http or https URL',
  OAUTH_MISSING_SERVER_METADATA: 'its discovery document lacks an endpoint',
  OAUTH_INVALID_SERVER_METADATA: 'its discovery document has an endpoint that is no URL',
}

/** Errors that mean that the answer cannot be trusted. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'the ID token has expired or is not valid yet',
  OAUTH_KEY_SELECTION_FAILED: 'none of its keys has signed the ID token',
  OAUTH_UNSUPPORTED_OPERATION: 'the ID token is not signed, or by an algorithm that is not accepted',
}

/** Error codes of an authorization endpoint that deny the sign-in. */
const DENIALS = new Set([
  'access_denied',
  'consent_required',
  'interaction_required',
  'login_required',
  'account_selection_required',
])

/** Converts an error of the library. Returns a SignInFailure unchanged. */
export function failureIn(step: IssuerRequest, error: unknown, host: string): SignInFailure {
  if (error instanceof SignInFailure) return error
  const code = step === 'discovery' ? undefined : protocolError(error)
  const reason = reasonOf(step, error, code)
  return new SignInFailure(reason, host, code ?? problemOf(step, error))
}

/** A few words about an error, to write after a colon. */
export function problemOf(step: IssuerRequest, error: unknown): string {
  const code = codeOf(error)
  if (error instanceof TypeError) return `it cannot be reached${networkCode(error)}`
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return step === 'discovery' ? 'its discovery document names another issuer' : 'userinfo is about somebody else'
  }
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED') return `claim '${claimIn(error)}' of the ID token has another value`
  return NO_ANSWER[code] ?? UNTRUSTED[code] ?? invalidAnswer(error)
}

function reasonOf(step: IssuerRequest, error: unknown, code: string | undefined): SignInFailureReason {
  if (step === 'discovery' || error instanceof TypeError || NO_ANSWER[codeOf(error)] !== undefined) return 'unreachable'
  if (code === undefined) return 'untrusted'
  if (codeOf(error) === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return DENIALS.has(code) ? 'denied' : 'refused'
  return code === 'invalid_grant' ? 'used' : 'client'
}

/** The member `error` of an error response, if it has the form of an error code. undefined: no error response. */
function protocolError(error: unknown): string | undefined {
  if (codeOf(error) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return 'it asks for other credentials'
  const value = (error as { error?: unknown } | null | undefined)?.error
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[a-z_]{1,64}$/.test(value) ? value : 'an error without a name'
}

/** The messages of OAUTH_INVALID_RESPONSE contain no values of the response, so they may be shown. */
function invalidAnswer(error: unknown): string {
  const cause = (error as { cause?: unknown } | null | undefined)?.cause
  return cause instanceof Error && codeOf(cause) === 'OAUTH_INVALID_RESPONSE'
    ? cause.message
    : 'its answer is not valid'
}

/** The code of an error of openid-client; empty: it has none. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** ` (ECONNREFUSED)` */
function networkCode({ cause }: Error): string {
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? ` (${code})` : ''
}

/** The name of the claim is in one of the nested causes. */
function claimIn(error: unknown): string {
  let cause: unknown = error
  for (let depth = 0; depth < 4 && typeof cause === 'object' && cause !== null; depth++) {
    const { claim } = cause as { claim?: unknown }
    if (typeof claim === 'string') return claim
    cause = (cause as { cause?: unknown }).cause
  }
  return '?'
}
