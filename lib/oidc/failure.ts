/** Why a sign-in by an issuer failed: what pages say, and what the log does. Holds nothing of a token. */

export type SignInFailureReason = keyof typeof REASONS

/** What a page for the person says. */
interface Words {
  readonly status: number
  readonly problem: string
  readonly remedy: string
}

const TRY_AGAIN = 'Sign in again.'
const LATER = 'Try again in a minute.'
const TELL = 'Tell the operator of this gateway, whose log has the reason.'

/** `{issuer}` and `{detail}` are filled in. */
const REASONS = {
  /** Discovery, keys or tokens: no answer, or none that is one. */
  unreachable: { status: 503, problem: '{issuer} does not answer as it should: {detail}.', remedy: LATER },
  /** No cookie of this sign-in, or another one's. */
  not_begun: {
    status: 400,
    problem: 'This sign-in was begun in another browser or another window, or more than ten minutes ago.',
    remedy: TRY_AGAIN,
  },
  denied: { status: 403, problem: '{issuer} says that you declined, or that you may not sign in here.', remedy: TELL },
  /** Another error of the authorization endpoint. */
  refused: { status: 502, problem: '{issuer} has ended the sign-in with the error {detail}.', remedy: TELL },
  /** The code was redeemed before, or has expired. */
  used: { status: 400, problem: 'This sign-in has been completed before, or took too long.', remedy: TRY_AGAIN },
  /** The token endpoint refuses the gateway. */
  client: { status: 502, problem: '{issuer} does not accept this gateway: {detail}.', remedy: TELL },
  /** Signature, issuer, audience, nonce or times of the ID token, or the issuer named beside the code. */
  untrusted: { status: 502, problem: 'What {issuer} has sent cannot be trusted: {detail}.', remedy: TELL },
  no_claim: { status: 403, problem: '{issuer} does not say who you are: it sends no {detail}.', remedy: TELL },
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
  /** The person is no member of an account. */
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
} as const satisfies Record<string, Words>

/** Why a sign-in failed: `words` for the page, `facts` for the log. */
export class SignInFailure extends Error {
  readonly reason: SignInFailureReason
  /** Of the issuer. */
  readonly host: string
  /** In words, for people; a name or an error code in it comes from the issuer. */
  readonly detail: string

  constructor(reason: SignInFailureReason, host: string, detail = '', cause?: unknown) {
    super(`${reason} ${detail}`.trim(), { cause })
    this.reason = reason
    this.host = host
    this.detail = detail
  }

  /** HTTP status of the page. */
  get status(): number {
    return REASONS[this.reason].status
  }

  /** Two sentences: what has happened, and what to do. */
  get words(): readonly [problem: string, remedy: string] {
    const { problem, remedy } = REASONS[this.reason]
    return [problem.replace('{issuer}', () => this.host).replace('{detail}', () => this.detail), remedy]
  }

  /** For the log. The name that an issuer knows a person by is not in it. */
  get facts(): { readonly reason: SignInFailureReason; readonly issuer: string; readonly detail?: string } {
    const isName = this.reason === 'unknown' || this.reason === 'not_operator'
    return { reason: this.reason, issuer: this.host, ...(!isName && this.detail !== '' && { detail: this.detail }) }
  }
}
