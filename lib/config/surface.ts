/** The kind of host that was called: the serverless gateway, the management API, or one dedicated endpoint. */
export type Surface = 'gateway' | 'api' | 'dedicated'
