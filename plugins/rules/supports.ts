import { backendOptions, type ModelConfig, type Target } from '../../lib/plugin.ts'

type Capability = keyof ModelConfig['capabilities']['chat_completions']

/** Whether the backends of the request have a capability. Under zero data retention, `zdr` of the card wins. */
export function supports({ model, zdr }: Target, capability: Capability): boolean {
  const { chat_completions: card, zdr: differences } = model.capabilities
  return (zdr ? differences[capability] : undefined) ?? card[capability]
}

/** Completes "does not support …" if only the other partition has the capability, which the client can choose. */
export function partition(target: Target, capability: Capability): string {
  if (!supports({ ...target, zdr: !target.zdr }, capability)) return ''
  if (target.zdr) return ' with zero data retention'
  return backendOptions(target.model).some(({ zdr }) => zdr) ? ' without zero data retention' : ''
}
