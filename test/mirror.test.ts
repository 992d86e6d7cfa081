import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A longer file has more than one subject. */
const MAX_LINES = 280

/** Sources without a test of their own: they have only types, or the test named here covers them. */
const PROVEN_ELSEWHERE: Readonly<Record<string, string>> = {
  // Types, which the compiler proves; those of the plugin contract by what must not compile.
  'lib/core/plugin.ts': 'test/types/plugin.ts',
  'lib/core/services.ts': 'test/lib/testing.test.ts',
  'lib/test-services.ts': 'test/lib/testing.test.ts',
  'lib/core/upstream.ts': 'test/lib/dispatch/attempt.slow.test.ts',
  'lib/core/exchange-types.ts': 'test/lib/core/exchange.test.ts',
  'lib/batches/inputs.ts': 'test/e2e/batches.test.ts',
  'lib/batches/job.ts': 'test/e2e/batches.test.ts',
  'lib/batches/line-request.ts': 'test/e2e/batches.test.ts',
  'lib/batches/validating.ts': 'test/e2e/batches.test.ts',
  'lib/batches/worker.ts': 'test/e2e/batches-kill.slow.test.ts',
  'lib/batches/runner.ts': 'test/e2e/batches-kill.slow.test.ts',
  'lib/batches/merge.ts': 'test/lib/batches/keeper.test.ts',
  'lib/batches/recover.ts': 'test/lib/batches/keeper.test.ts',
  'lib/batches/finalize.ts': 'test/lib/batches/keeper.test.ts',
  'lib/store/migrations/batches.ts': 'test/lib/store/batches.test.ts',
  'lib/store/migrations/free-lines.ts': 'test/lib/store/batch-lines.test.ts',
  'lib/store/migrations/customer-alerts.ts': 'test/lib/store/customer-alerts.test.ts',
  'lib/store/customer-alert-tables.ts': 'test/lib/store/customer-alerts.test.ts',
  'lib/alerts/outbox.ts': 'test/lib/alerts/deliveries.test.ts',
  'lib/store/batch-tables.ts': 'test/lib/store/batches.test.ts',
  'lib/batches/spare.ts': 'test/lib/routing/spare/line-gate.test.ts',
  'lib/dispatch/request-leases.ts': 'test/lib/dispatch/dispatch.slow.test.ts',
  'lib/engines/replies/outlet.ts': 'test/lib/lifecycle/client-outlet.test.ts',
  'lib/body/index.ts': 'test/layers.test.ts',
  'lib/body/form/parser.ts': 'test/lib/body/form/upload.test.ts',
  'lib/core/chain-order.ts': 'test/lib/process/boot.test.ts',
  'plugins/pages/openapi/operation.ts': 'test/plugins/pages/openapi/operations.test.ts',
  'plugins/pages/openapi/batch-operations.ts': 'test/plugins/pages/openapi/operations.test.ts',
  'plugins/batches/access.ts': 'test/plugins/batches/batches.test.ts',
  'lib/pages/load-markdown.ts': 'test/plugins/pages/error-docs.test.ts',
  // Parts of a running gateway, which only a start, a reload and a drain show.
  'lib/process/batches.ts': 'test/e2e/batches.test.ts',
  'lib/process/backends.ts': 'test/lib/process/resources.test.ts',
  'lib/process/limits.ts': 'test/lib/process/resources.test.ts',
  'lib/process/ports.ts': 'test/lib/process/gateway.slow.test.ts',
  'lib/process/primary.ts': 'test/lib/process/workers.slow.test.ts',
  'lib/process/worker.ts': 'test/lib/process/workers.slow.test.ts',
  'lib/cli/links.ts': 'test/lib/cli/login.slow.test.ts',
  'lib/cli/chain.ts': 'test/lib/cli/check.slow.test.ts',
  'lib/config/surface.ts': 'test/lib/routes/routes.test.ts',
  'plugins/pages/docs-site/index.ts': 'test/tools/docs/site.slow.test.ts',
  'lib/base/start-error.ts': 'test/lib/cli/serve.slow.test.ts',
  // Reading the schemas, from which code and reference are made.
  'lib/schemas/read.ts': 'test/lib/schemas/body-validator.test.ts',
  'tools/tests/children.ts': 'test/tools/tests/main.slow.test.ts',
  'tools/docs/site-page.ts': 'test/tools/docs/pages.test.ts',
  'tools/release/main.ts': 'test/tools/release/release.slow.test.ts',
  'tools/docs/main.ts': 'test/tools/docs/site.slow.test.ts',
  'tools/docs/config.ts': 'test/tools/docs/site.slow.test.ts',
  'tools/docs/code-theme.ts': 'test/tools/docs/site.slow.test.ts',
  'tools/docs/finish.ts': 'test/tools/docs/site.slow.test.ts',
  'tools/docs/navigation.ts': 'test/tools/docs/pages.test.ts',
  'tools/generate/main.ts': 'test/bin/validators.slow.test.ts',
  'tools/generate/schemas.ts': 'test/tools/generate/config.test.ts',
  'simulator/form.ts': 'test/simulator/audio.test.ts',
  'simulator/engine-traits.ts': 'test/simulator/engine-vllm.test.ts',

  // The other end of a thread: only what comes back through its client tells whether it works.
  'lib/store/sqlite/worker.ts': 'test/lib/store/sqlite/thread.test.ts',

  // The same rules as in memory, as scripts: one suite (test/support/limits.ts) runs on both.
  'lib/limits/places.ts': 'test/lib/limits/redis/places.slow.test.ts',
  'lib/limits/redis/limit-call.ts': 'test/lib/limits/redis/limit-batcher.slow.test.ts',
  'lib/limits/redis/limit-script.ts': 'test/lib/limits/redis/limit-batcher.slow.test.ts',
  'lib/limits/redis/quotas.ts': 'test/lib/limits/redis/limits.slow.test.ts',
  'lib/limits/redis/rates.ts': 'test/lib/limits/redis/limits.slow.test.ts',
  'lib/limits/redis/spend-limits.ts': 'test/lib/limits/redis/limits.slow.test.ts',

  // What every operation of operators works with, and their bodies and requests.
  'lib/admin/body.ts': 'test/lib/admin/api.test.ts',
  'lib/admin/routes.ts': 'test/lib/admin/api.test.ts',
  'lib/admin/call.ts': 'test/lib/admin/api.test.ts',
  'lib/admin/pages/page.ts': 'test/lib/admin/pages/site.test.ts',
  'tools/design.ts': 'test/lib/admin/pages/design.test.ts',

  // What every query of the store runs on, and the tables that it finds.
  'lib/admin/route.ts': 'test/lib/admin/api.test.ts',
  'lib/admin/batch-routes.ts': 'test/lib/admin/batches.test.ts',
  'lib/admin/history-routes.ts': 'test/lib/admin/history.test.ts',
  'lib/admin/model-routes.ts': 'test/lib/admin/models.test.ts',
  'lib/store/database.ts': 'test/lib/store/store.slow.test.ts',
  'lib/store/migrations/account-requests.ts': 'test/lib/store/queries/account-requests.test.ts',
  'lib/store/migrations/engine-queue.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/backend-history.ts': 'test/lib/store/history-columns.test.ts',
  'lib/store/migrations/batch-records.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/units.ts': 'test/lib/store/rollups.test.ts',
  'lib/store/migrations/attempt-list.ts': 'test/lib/store/queries/lookup.test.ts',
  'lib/store/migrations/stored-models.ts': 'test/lib/store/stored-models.test.ts',
  'lib/store/migrations/end-users.ts': 'test/lib/store/queries/usage-groups.test.ts',
  'lib/store/migrations/agent-sessions.ts': 'test/lib/store/queries/account-requests.test.ts',
  'lib/store/migrations/client-family.ts': 'test/lib/store/queries/usage-groups.test.ts',
  'lib/store/migrations/erased-accounts.ts': 'test/lib/store/erasure.test.ts',
  'lib/store/migrations/exports.ts': 'test/lib/store/exports.test.ts',
  'lib/store/migrations/disabled-by.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/backend-waits.ts': 'test/lib/store/history-columns.test.ts',
  'lib/store/migrations/gateways.ts': 'test/lib/store/gateways.test.ts',
  'lib/store/migrations/group-members.ts': 'test/lib/store/group-members.test.ts',
  'lib/store/migrations/key-limits.ts': 'test/lib/store/keys.test.ts',
  'lib/store/migrations/batch-events.ts': 'test/lib/alerts/find.test.ts',
  'lib/store/migrations/alerts.ts': 'test/lib/store/alerts.test.ts',
  'lib/store/migrations/initial.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/usage-days.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/usage-user-days.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/zones.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/record-horizon.ts': 'test/lib/store/queries/usage.test.ts',
  'lib/store/migrations/audit-search.ts': 'test/lib/store/audit.test.ts',
  'lib/store/migrations/operators.ts': 'test/lib/store/audit.test.ts',
  'lib/store/migrations/diagnosis.ts': 'test/lib/store/migrate.test.ts',
  'lib/store/migrations/console-sessions.ts': 'test/lib/store/console-sessions.test.ts',

  // The contract of the HTTP client.
  'lib/transport/transport.ts': 'test/lib/transport/client.slow.test.ts',

  // Types of the two kinds of replies, and a call of a client.
  'lib/engines/replies/reply-stream.ts': 'test/lib/engines/replies/pipe-stream.test.ts',
  'lib/transport/pipe-call.ts': 'test/lib/transport/pipe-client.test.ts',

  // Helpers of a few lines around what their users' tests show.
  'simulator/refusal.ts': 'test/simulator/server.test.ts',
  'simulator/wire.ts': 'test/simulator/chat-wire.test.ts',
}

const isGenerated = (file: string) => /\/(?:generated|validators)\//.test(file)
const sources = globSync('{lib,simulator,tools}/**/*.ts', { cwd: root }).filter(file => !isGenerated(file))
const plugins = globSync('plugins/{*,*/*}/index.ts', { cwd: root }).filter(file => !file.startsWith('plugins/_'))
const isThere = (file: string) => existsSync(join(root, file))

/** Where the test of a source stands; `.slow.test.ts` where it starts processes or services, or waits for seconds. */
function testOf(source: string): string {
  const test = `test/${source.replace(/(?:(?<=^plugins\/.+)\/index)?\.ts$/, '.test.ts')}`
  const slow = asSlow(test)
  return isThere(slow) ? slow : test
}

function asSlow(test: string): string {
  return test.replace(/\.test\.ts$/, '.slow.test.ts')
}

describe('mirror', () => {
  it('every source has its test at the mirrored place, or is proven by one that is named here', () => {
    const without = [...sources, ...plugins].filter(
      source => !isThere(testOf(source)) && !Object.hasOwn(PROVEN_ELSEWHERE, source),
    )
    expect(without).deep.equal([])
  })

  it('names no exception that is none, and no test that is not there', () => {
    const wrong = Object.entries(PROVEN_ELSEWHERE).filter(
      ([source, test]) => !isThere(source) || isThere(testOf(source)) || !isThere(test),
    )
    expect(wrong).deep.equal([])
  })

  it('every test has its source', () => {
    const places = new Set([...sources, ...plugins].map(testOf))
    const template = 'test/plugins/_template.test.ts'
    // Tests of a plugin's own helpers stand in a folder of its name.
    const helpers = globSync('plugins/**/*.ts', { cwd: root })
      .map(file => `test/${file.replace(/\.ts$/, '.test.ts')}`)
      .flatMap(test => [test, asSlow(test)])
    // Of the modules that browsers run, those without a document have tests; browsers test the others.
    for (const file of globSync('lib/pages/browser/**/*.js', { cwd: root }))
      helpers.push(`test/${file.replace(/\.js$/, '.test.ts')}`)
    const stray = globSync('test/{lib,plugins,simulator,tools}/**/*.test.ts', { cwd: root }).filter(
      test => test !== template && !places.has(test) && !helpers.includes(test),
    )
    expect(stray).deep.equal([])
  })

  it(`no source is longer than ${MAX_LINES} lines`, () => {
    const long = globSync('{lib,plugins,simulator,bench,bin,tools}/**/*.{ts,mjs}', { cwd: root })
      .filter(file => !isGenerated(file))
      .map(file => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES)
    expect(long).deep.equal([])
  })
})
