import { type ListedBackend, listBackends, listEmpty } from '../backends/backend-list.ts'
import type { ServiceDiscovery } from '../backends/discovery/service-discovery.ts'
import type { ModelSnapshot } from '../backends/pool.ts'
import type { Inquiries } from './inquiries.ts'

/** The backends of all processes with their problems, and the places in which none was found. */
export function listAll(
  processes: readonly (readonly ModelSnapshot[])[],
  inquiries: Pick<Inquiries, 'problem'>,
  discovery: Pick<ServiceDiscovery, 'problem' | 'empty'>,
): ListedBackend[] {
  const problemOf = (model: string, url: string) => {
    const problems = [inquiries.problem(model, url), discovery.problem(model, url)].filter(one => one !== null)
    return problems.length === 0 ? null : problems.join('; ')
  }
  return [...listBackends(processes, problemOf), ...listEmpty(discovery.empty())]
}
