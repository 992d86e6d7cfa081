/** What the operators' port serves beside metrics and probes: the API and the pages, both or neither. */
import { createAdminApi } from '../admin/api.ts'
import { type AdminOptions, adminCalls } from '../admin/call.ts'
import { type BoardOptions, LiveBoard } from '../admin/live/board.ts'
import { operatorPages } from '../admin/pages/index.ts'
import { openLive } from '../admin/pages/now.ts'
import type { OperatorHandlers } from '../http/admin.ts'
import { chainViewer } from './chain-view.ts'

export interface Operators extends OperatorHandlers {
  /** Ends the pages that are open. */
  close(): void
}

export function startOperators(options: AdminOptions, live: Omit<BoardOptions, 'clock'>): Operators {
  const board = new LiveBoard({ ...live, clock: options.clock })
  const open = openLive(board)
  return {
    api: createAdminApi(options, adminCalls(options)),
    pages: operatorPages(options, { live: open, chain: chainViewer(options.config) }),
    close() {
      open.viewers.close()
      board.close()
    },
  }
}
