/** Why a sign-in by an issuer failed, for the page and for the log. Contains no part of a token. */

export type SignInFailureReason = keyof typeof REASONS

interface PageText {
  readonly status: number
  readonly problem: string
  readonly remedy: string
}

const TRY_AGAIN = 'Sign in again.'
const LATER = 'Try again in a minute.'
const TELL_OPERATOR = 'Tell the operator of this gateway, whose log has the reason.'

/** `{issuer}` and `{detail}` are placeholders. */
const REASONS = {
  /** No valid answer to the request for the discovery document, the keys or the tokens. */
  unreachable: { status: 503, problem: '{issuer} does not answer as it should: {detail}.', remedy: LATER },
  /** The cookie is missing or belongs to another sign-in. */
  not_begun: {
    status: 400,
    problem: 'This sign-in was begun in another browser or another window, or more than ten minutes ago.',
    remedy: TRY_AGAIN,
  },
  denied: {
    status: 403,
    problem: '{issuer} says that you declined, or that you may not sign in here.',
    remedy: TELL_OPERATOR,
  },
  /** Another error of the authorization endpoint. */
  refused: { status: 502, problem: '{issuer} has ended the sign-in with the error {detail}.', remedy: TELL_OPERATOR },
  /** The authorization code was redeemed before, or has expired. */
  used: { status: 400, problem: 'This sign-in has been completed before, or took too long.', remedy: TRY_AGAIN },
  /** The token endpoint refuses the gateway. */
  client: { status: 502, problem: '{issuer} does not accept this gateway: {detail}.', remedy: TELL_OPERATOR },
  /** The signature or a claim of the ID token is not valid, or the response is from another issuer. */
  untrusted: { status: 502, problem: 'What {issuer} has sent cannot be trusted: {detail}.', remedy: TELL_OPERATOR },
  no_claim: { status: 403, problem: '{issuer} does not say who you are: it sends no {detail}.', remedy: TELL_OPERATOR },
  unverified: {
    status: 403,
    problem: '{issuer} has not verified your e-mail address.',
    remedy: 'Verify it there, then sign in again.',
  },
  domain: {
    status: 403,
    problem: 'Addresses of your domain may not sign in here.',
    remedy: 'Sign in with another account, or ask the operator of this gateway.',
  },
  /** The person is not a member of any account. */
  unknown: {
    status: 403,
    problem: '{issuer} knows you as {detail}, who is no member of an account here.',
    remedy: 'Ask the owner of your account, or the operator of this gateway, to add you with that name.',
  },
  not_operator: {
    status: 403,
    problem: '{issuer} knows you as {detail}, who is no operator of this gateway.',
    remedy: 'Operators are listed in the configuration, in admin.oidc: users and groups.',
  },
} as const satisfies Record<string, PageText>

/** `words` is for the page, `facts` for the log. */
export class SignInFailure extends Error {
  readonly reason: SignInFailureReason
  readonly host: string
  /** Part of a sentence for people. A name or an error code in it is text of the issuer. */
  readonly detail: string

  constructor(reason: SignInFailureReason, host: string, detail = '', cause?: unknown) {
    super(`${reason} ${detail}`.trim(), { cause })
    this.reason = reason
    this.host = host
    this.detail = detail
  }

  get status(): number {
    return REASONS[this.reason].status
  }

  /** Two sentences for the page. */
  get words(): readonly [problem: string, remedy: string] {
    const { problem, remedy } = REASONS[this.reason]
    return [problem.replace('{issuer}', () => this.host).replace('{detail}', () => this.detail), remedy]
  }

  /** Members for the log, without the name of the person. */
  get facts(): { readonly reason: SignInFailureReason; readonly issuer: string; readonly detail?: string } {
    const isName = this.reason === 'unknown' || this.reason === 'not_operator'
    return { reason: this.reason, issuer: this.host, ...(!isName && this.detail !== '' && { detail: this.detail }) }
  }
}
