import {
  backendOptions,
  type CanonicalRequest,
  type ChatRequest,
  definePlugin,
  type FormatName,
  type FormatOptions,
  fail,
  hasImages,
  type Target,
  type TextRequest,
} from '../../../lib/plugin.ts'
import { chat, formatOptions, target } from '../../slots.ts'
import { partition, supports } from '../supports.ts'
import { describeToolImages, refuseImages, seesImages } from './images.ts'

/** Refuses features that the model does not have (docs/errors/unsupported_feature.md). */
function checkCapabilities(
  request: CanonicalRequest,
  target: Target,
  format: FormatName,
  options: FormatOptions | undefined,
): void {
  if (request.n > 1) need(target, 'n', 'n greater than 1', 'n')
  if (request.stop !== undefined) checkStop(request.stop, target)
  if (request.kind === 'text') return checkText(request, target)
  checkTools(request, target)
  const { asked, param } = request.preserveThinking
  if (asked) need(target, 'preserve_thinking', 'preserved thinking', param, true)
  if (seesImages(target.model, format)) return
  if (format === 'messages') describeToolImages(request.messages, options)
  if (hasImages(request)) refuseImages(request.messages, target, format)
}

/** Some engines silently ignore these members. */
function checkText({ n, bestOf = n, echo, suffix }: TextRequest, target: Target): void {
  if (bestOf > n && !(supports(target, 'n') && acceptsBestOf(target)))
    refuse(target, 'best_of greater than n', 'best_of')
  if (echo === true) need(target, 'echo', 'echo', 'echo')
  if (suffix !== undefined) need(target, 'suffix', 'suffix', 'suffix')
}

/** True if every backend of the target accepts best_of, because the backend is chosen later. */
function acceptsBestOf(target: Target): boolean {
  return profilesOf(target).every(({ text_members }) => text_members.includes('best_of'))
}

function checkStop(stop: readonly string[], target: Target): void {
  for (const { max_stop_strings: max } of profilesOf(target)) {
    if (max !== null && stop.length > max) refuse(target, `more than ${max} stop string${max === 1 ? '' : 's'}`, 'stop')
  }
}

function profilesOf({ model, zdr }: Target) {
  return backendOptions(model)
    .filter(backend => !zdr || backend.zdr)
    .map(backend => backend.profile)
}

function checkTools(request: ChatRequest, target: Target): void {
  if (request.tools.length === 0) return
  need(target, 'tools', 'tools', 'tools')
  // With tool_choice 'none' there are no tool calls to stream.
  if (request.stream && request.toolChoice !== 'none') {
    need(target, 'streaming_tools', 'tools in streaming requests', 'tools')
  }
}

/** Refuses the feature unless the target has the capability. */
function need(
  target: Target,
  capability: Parameters<typeof supports>[1],
  feature: string,
  param: string,
  ownParam = false,
): void {
  if (!supports(target, capability)) refuse(target, feature + partition(target, capability), param, ownParam)
}

function refuse({ model }: Target, feature: string, param: string, ownParam = false): never {
  fail('unsupported_feature', { model: model.id, feature }, { param, ownParam })
}

export default definePlugin({
  name: 'capabilities',
  summary: 'Refuses features that the model does not have.',
  routes: { canonical: true },
  needs: [chat, target],
  wants: [formatOptions],
  // 'sampling' sets n to 1 for models with fixed sampling: n is then not refused.
  after: ['sampling'],

  setup: () => ({
    onBody(exchange) {
      const options = exchange.find(formatOptions)
      checkCapabilities(exchange.get(chat), exchange.get(target), exchange.route.format, options)
    },
  }),
})
