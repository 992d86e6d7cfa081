/** The text that `serve` prints at the start: addresses, and for the demo also a key and requests to paste. */
import type { Config } from '../config/config.ts'
import { shellQuoted } from '../text/quoted.ts'
import type { FirstLinks } from './links.ts'
import { reachable, startWith } from './output.ts'

interface Addresses {
  /** Base URL of the gateway. */
  readonly url: string
  /** Base URL of the operators' port; null: it is off. */
  readonly adminUrl: string | null
}

/** The text for the configuration of an operator. */
export function startLines({ url, adminUrl }: Addresses, config: Config, file: string): string {
  const sources = config.modelSources.map(({ name }) => `those of ${name}`)
  const models = [...config.models.map(({ id }) => id), ...sources].join(', ')
  const hasPages = adminUrl !== null && config.admin?.api === true
  return `${addressLines({ url, adminUrl }, config)}
${hasPages ? `Pages    ${reachable(adminUrl)}/ for operators: sluiceway login --config ${file} --operator NAME\n` : ''}Models   ${models}
Config   ${file}
`
}

/** The text for the demo and for --upstream, with a key and three requests to paste. */
export function demoLines(
  { url, adminUrl }: Addresses,
  config: Config,
  file: string,
  secret: string,
  links?: FirstLinks,
): string {
  const model = config.models[0]?.id ?? 'MODEL'
  const chat = { model, messages: [{ role: 'user', content: 'Hello!' }] }
  return `${addressLines({ url, adminUrl }, config)}
API key  ${secret}
Config   ${file} (copy it, change it, run: ${startWith('--config FILE')})
${links === undefined ? '' : linkLines(links)}
Try it:

${curl(`${url}/v1/models`, secret)}

${curl(`${url}/v1/chat/completions`, secret, chat)}

${curl(`${url}/v1/chat/completions`, secret, { ...chat, stream: true })}

Ctrl-C stops it.
`
}

/** The one-time links; each opens a session in one browser. */
function linkLines({ console, operators }: FirstLinks): string {
  const more = operators === null ? '' : `Operators' pages:  ${operators}\n`
  return `
Open in a browser (each link works once, within ten minutes):

Customers' pages:  ${console}
${more}`
}

function addressLines({ url, adminUrl }: Addresses, { admin: options, docs }: Config): string {
  const api = options?.api === true ? '/, /admin/v1/, ' : ''
  const admin = adminUrl === null ? '' : `\nAdmin    ${reachable(adminUrl)} (${api}/metrics, /livez, /readyz)`
  return `Gateway  ${reachable(url)}/v1${admin}${docs ? `\nDocs     ${reachable(url)}/docs/` : ''}`
}

/** A curl command for a POSIX shell, in one line. */
function curl(url: string, secret: string, body?: object): string {
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${shellQuoted(JSON.stringify(body))}`
  // -N shows a stream as it arrives.
  return `curl -sN ${reachable(url)} -H 'Authorization: Bearer ${secret}'${data}`
}
