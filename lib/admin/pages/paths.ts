/** Paths of the pages of backends and models. `/backends` itself is JSON for programs (lib/http/admin.ts). */

export const BACKENDS_PATH = '/backends/list'
export const BACKEND_STRIPS_PATH = '/backends/compare'
export const BACKEND_PATH = '/backends/history'

export function backendPath(model: string, url: string, range?: string): string {
  const query = new URLSearchParams({ model, url, ...(range !== undefined && { range }) })
  return `${BACKEND_PATH}?${query.toString()}`
}

export function stripsPath(model: string, range: string): string {
  return `${BACKEND_STRIPS_PATH}?${new URLSearchParams({ model, range }).toString()}`
}

export const COSTS_PATH = '/costs'

export function accountHistoryPath(account: string, range?: string): string {
  return `/accounts/${account}/history${range === undefined ? '' : `?range=${range}`}`
}

export function modelHistoryPath(model: string, range?: string): string {
  return `/models/${encodeURIComponent(model)}/history${range === undefined ? '' : `?range=${range}`}`
}
