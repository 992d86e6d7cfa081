/** Checks on sign-in by an OpenID Connect issuer. `check --live` asks the issuer itself. */
import type { JsonObject } from '../../base/json.ts'
import { object, type Report, text, texts } from './view.ts'

/** The parameters that the gateway itself sets in the request to an issuer. */
const OWN_PARAMETERS = new Set([
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
])

const DISCOVERY = '/.well-known/openid-configuration'
const ENTRA = 'login.microsoftonline.com'
const GOOGLE = 'accounts.google.com'

/** `doubt`: reports probable mistakes, with which a gateway can run. */
export function checkOidc(file: JsonObject, report: Report, doubt: Report): void {
  const console = object(file, 'console')
  const admin = object(file, 'admin')
  if (console.oidc !== undefined) {
    const oidc = object(console, 'oidc')
    checkIssuer(oidc, 'console', report, doubt)
    if (oidc.accounts !== undefined && URL.parse(text(oidc, 'issuer') ?? '')?.hostname === GOOGLE)
      doubt('console.oidc.accounts', 'this issuer sends no groups, so that no user becomes a member')
  }
  if (admin.oidc === undefined) return
  const oidc = object(admin, 'oidc')
  checkIssuer(oidc, 'admin', report, doubt)
  if (admin.api !== true) report('admin.oidc', 'needs `api: true`, without which operators have no pages')
  if (texts(oidc, 'users').length + texts(oidc, 'groups').length === 0)
    report('admin.oidc', 'needs users or groups, without which no user is an operator')
}

/** The path of the callback for each audience. */
const CALLBACKS = { console: '/console/login/oidc/callback', admin: '/sign-in/oidc/callback' } as const

function checkIssuer(oidc: JsonObject, owner: keyof typeof CALLBACKS, report: Report, doubt: Report): void {
  const path = `${owner}.oidc`
  const issuer = URL.parse(text(oidc, 'issuer') ?? '')
  if (issuer !== null) checkUrl(issuer, path, oidc, report, doubt)
  for (const name of Object.keys(object(oidc, 'parameters'))) {
    if (OWN_PARAMETERS.has(name)) report(`${path}.parameters.${name}`, 'is a parameter that the gateway sets itself')
  }
  const callback = URL.parse(text(oidc, 'redirect_uri') ?? '')
  if (callback !== null && callback.pathname !== CALLBACKS[owner])
    doubt(`${path}.redirect_uri`, `the gateway serves the callback only at ${CALLBACKS[owner]}`)
}

function checkUrl(issuer: URL, path: string, oidc: JsonObject, report: Report, doubt: Report): void {
  if (issuer.pathname.endsWith(DISCOVERY)) report(`${path}.issuer`, `leave out ${DISCOVERY}: the gateway adds it`)
  if (issuer.protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(issuer.hostname))
    doubt(`${path}.issuer`, 'without TLS, an attacker on the network can sign in as any user: use https://')
  if (issuer.hostname !== ENTRA) return
  if (/^\/(common|organizations|consumers)\b/.test(issuer.pathname))
    report(
      `${path}.issuer`,
      'accepts every tenant, and tenants choose the names of their users: use the id of your tenant',
    )
  if ((text(oidc, 'user_claim') ?? 'email') === 'email')
    doubt(`${path}.user_claim`, 'this issuer sends no email_verified: use preferred_username')
}
