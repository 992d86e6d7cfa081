/** Who calls the operators' port. */
import type { Config } from '../config/config.ts'
import { type ClientView, Proxies } from '../http/proxies.ts'

/** By the networks that are trusted, which stay the same as long as a process runs. */
const views = new WeakMap<readonly string[], ClientView>()

/** Behind proxies that `listen.trusted_proxies` names, as they tell. Its addresses are those that the audit log has. */
export function clientOf({ listen: { trusted_proxies: trusted } }: Pick<Config, 'listen'>): ClientView {
  const known = views.get(trusted)
  if (known !== undefined) return known
  // The port itself speaks no TLS.
  const view = new Proxies({ trusted, secure: false, showAddress: true })
  views.set(trusted, view)
  return view
}
