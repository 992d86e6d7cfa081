import { definePlugin } from '../../../lib/plugin.ts'
import { batchLine, ignored, key, target, usage } from '../../slots.ts'

export default definePlugin({
  name: 'request-log',
  summary: 'Logs one line for every request: facts, never content.',
  reads: [key, target, usage, ignored, batchLine],

  setup: (_options, { log }) => ({
    onFinish(exchange) {
      const caller = exchange.find(key)
      const counts = exchange.find(usage)
      const members = exchange.find(ignored)
      const { error } = exchange
      // Failures of the gateway or of a backend have a level of their own.
      const failureLevel = (error?.status ?? exchange.status) >= 500 ? 'warn' : 'info'
      // A batch has thousands of lines, whose failures are in its files.
      const level = exchange.surface === 'batch' ? 'debug' : failureLevel
      log[level](
        {
          request_id: exchange.logId,
          id: exchange.id,
          trace_id: exchange.traceId ?? undefined,
          route: exchange.route.name,
          surface: exchange.surface,
          batch: exchange.find(batchLine)?.batch,
          endpoint: exchange.endpoint ?? undefined,
          status: exchange.status,
          outcome: exchange.outcome,
          code: error?.code,
          client_address: exchange.clientAddress ?? undefined,
          account: caller?.account.id,
          account_name: caller?.account.name,
          key: caller?.id,
          model: exchange.find(target)?.model.id,
          backend: exchange.backend ?? undefined,
          attempts: exchange.attempts > 1 ? exchange.attempts : undefined,
          upstream_status: error === undefined || exchange.upstreamStatus === 0 ? undefined : exchange.upstreamStatus,
          upstream_error: error === undefined ? undefined : exchange.upstreamError,
          stream: exchange.streaming,
          duration_ms: Math.round(exchange.durationMs),
          upstream_ms: exchange.upstreamMs === null ? undefined : Math.round(exchange.upstreamMs),
          input_tokens: counts?.inputTokens ?? undefined,
          output_tokens: counts?.outputTokens ?? undefined,
          ignored: members?.paths,
          ignored_count: members?.count,
        },
        'request',
      )
    },
  }),
})
