/** The kind of host that a client called: the serverless gateway, the management API, or one dedicated endpoint. */
export const CLIENT_SURFACES = ['gateway', 'api', 'dedicated'] as const

/** Surfaces without a host: `internal` has questions of the gateway itself, `batch` has lines of batches. */
export const INTERNAL_SURFACES = ['internal', 'batch'] as const

export type InternalSurface = (typeof INTERNAL_SURFACES)[number]
export type Surface = (typeof CLIENT_SURFACES)[number] | InternalSurface
