/** nginx's status for a client that disconnected. */
const CLIENT_CLOSED_REQUEST = 499

/** Class of the element with the status of a request. A client that disconnected is neither a success nor a failure. */
export function statusClass(status: number, isFailed: boolean): 'good' | 'warn' | 'error' {
  if (status === CLIENT_CLOSED_REQUEST) return 'warn'
  return isFailed ? 'error' : 'good'
}
