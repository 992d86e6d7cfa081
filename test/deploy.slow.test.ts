/** The files of deploy/, checked by the programs that read them. e2e/rolling-restart.test.ts has the load balancers. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import type { Json, JsonObject } from '../lib/base/json.ts'
import { parseConfig } from '../lib/config/read.ts'
import { anchorsOf } from './support/markdown.ts'
import { useProgram } from './support/programs.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const deploy = join(root, 'deploy')
const read = (file: string) => readFileSync(join(deploy, file), 'utf8')

/** Names of the metrics in an expression. */
const metricsIn = (expression: string) => expression.match(/\bsluiceway_\w+/g) ?? []

/** The metrics of docs/OPERATIONS.md, which test/docs.test.ts compares with those of the code. */
const documented = new Set(
  [...readFileSync(join(root, 'docs/OPERATIONS.md'), 'utf8').matchAll(/`(sluiceway_\w+)`/g)].map(([, name]) => name!),
)
const isDocumented = (name: string) => documented.has(name.replace(/_(bucket|sum|count)$/, '')) || documented.has(name)

/** Every member of this name, at any depth. */
function* membersNamed(name: string, value: Json): Iterable<Json> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    if (key === name) yield member as Json
    yield* membersNamed(name, member as Json)
  }
}

describe('deploy', () => {
  describe('Prometheus', () => {
    const promtool = useProgram('promtool', 'prometheus')

    it('reads its configuration and the rules', () => {
      execFileSync(promtool, ['check', 'config', join(deploy, 'prometheus/prometheus.yml')], { stdio: 'pipe' })
    })

    it('raises each alert when it should, and not before', () => {
      execFileSync(promtool, ['test', 'rules', join(deploy, 'prometheus/rules.test.yml')], { stdio: 'pipe' })
      const tested = [...membersNamed('alertname', parse(read('prometheus/rules.test.yml')))]
      expect(new Set(tested)).deep.equal(new Set(membersNamed('alert', parse(read('prometheus/rules.yml')))))
    })
  })

  it('has alerts on metrics that exist, each with a section of the runbook', () => {
    const rules = parse(read('prometheus/rules.yml')) as JsonObject
    const unknown = [...membersNamed('expr', rules)]
      .flatMap(expr => metricsIn(String(expr)))
      .filter(name => !isDocumented(name))
    expect(unknown).deep.equal([])
    const anchors = anchorsOf(readFileSync(join(root, 'docs/RUNBOOK.md'), 'utf8'))
    for (const annotations of membersNamed('annotations', rules)) {
      const [page, anchor] = String((annotations as JsonObject).runbook_url).split('#')
      expect(page).match(/^https:\/\/.*\/RUNBOOK\.md$/)
      expect(anchors).include(anchor)
    }
  })

  it('has the alerts that docs/OPERATIONS.md lists', () => {
    const listed = [...readFileSync(join(root, 'docs/OPERATIONS.md'), 'utf8').matchAll(/^\| `(Sluiceway\w+)` \|/gm)]
    const alerts = [...membersNamed('alert', parse(read('prometheus/rules.yml')))].map(String)
    expect(listed.map(([, name]) => name).toSorted()).deep.equal(alerts.toSorted())
  })

  it('has a board on metrics that exist', () => {
    const expressions = [...membersNamed('expr', JSON.parse(read('grafana/sluiceway.json')))].map(String)
    expect(expressions.length).above(15)
    expect(expressions.flatMap(metricsIn).filter(name => !isDocumented(name))).deep.equal([])
  })

  it('has a board with the batches', () => {
    const expressions = [...membersNamed('expr', JSON.parse(read('grafana/sluiceway.json')))].map(String)
    const shown = expressions.flatMap(metricsIn).filter(name => name.startsWith('sluiceway_batch_'))
    const wanted = ['queued_requests', 'in_flight', 'spare_slots', 'requests_total', 'oldest_seconds']
    expect(shown).have.members(wanted.map(name => `sluiceway_batch_${name}`))
  })

  it('has a board for any data source, which it asks for', () => {
    const board = JSON.parse(read('grafana/sluiceway.json')) as { templating: { list: JsonObject[] } }
    const sources = [...membersNamed('datasource', board as unknown as Json)] as JsonObject[]
    for (const { uid } of sources) expect(uid).match(/^\$\{datasource\}$/)
    expect(sources.length).above(15)
    expect(board.templating.list[0]).include({ name: 'datasource', type: 'datasource', query: 'prometheus' })
  })

  it('has configurations that the gateway accepts, with the pages of operators', () => {
    const env = {
      POSTGRES_PASSWORD: 'p',
      FIRST_KEY: 'service_first',
      STORE: 'sqlite:x.db',
      LIMITS_STORE: 'redis://r:6379',
      CACHE_ISOLATION_KEY: '0123456789abcdef',
    }
    for (const file of ['gateway.yaml', 'kubernetes/gateway.yaml']) {
      const { models, admin } = parseConfig(read(file), { baseDir: dirname(join(deploy, file)), env, fileName: file })
      expect(models, file).lengthOf(1)
      expect(admin, file).include({ api: true })
    }
  })

  it('has valid YAML everywhere', () => {
    const files = globSync('**/*.{yaml,yml}', { cwd: deploy }).filter(file => !file.startsWith('helm/templates/'))
    for (const file of files) {
      for (const { errors } of parseAllDocuments(read(file))) expect(errors, file).deep.equal([])
    }
  })

  it('gives pods longer to end than the gateway takes to drain, and probes what there is', () => {
    const pod = (parse(read('kubernetes/deployment.yaml')) as { spec: { template: { spec: JsonObject } } }).spec
      .template.spec
    const { drain_delay_seconds: delay, drain_seconds: drain } = parse(read('kubernetes/gateway.yaml')) as Record<
      string,
      number
    >
    expect(pod.terminationGracePeriodSeconds).above(delay! + drain!)
    const paths = [...membersNamed('httpGet', pod)].map(get => (get as JsonObject).path)
    expect(new Set(paths)).deep.equal(new Set(['/readyz', '/livez']))
    expect([...membersNamed('readOnlyRootFilesystem', pod)]).deep.equal([true])
    const files = (parse(read('kubernetes/kustomization.yaml')) as { resources: string[] }).resources
    for (const file of files) {
      const path = file.endsWith('.yaml') ? file : `${file}/kustomization.yaml`
      expect(() => read(`kubernetes/${path}`)).not.throw()
    }
  })

  it('gives the other service managers longer as well', () => {
    const { drain_seconds: drain } = parse(read('gateway.yaml')) as { drain_seconds: number }
    const { services } = parse(read('compose.yaml')) as { services: { gateway: { stop_grace_period: string } } }
    expect(Number.parseInt(services.gateway.stop_grace_period, 10)).above(drain)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('sluiceway.service'))![1])).above(drain)
  })

  it("publishes the operators' port of the compose file on this machine alone", () => {
    const { services } = parse(read('compose.yaml')) as { services: { gateway: { ports: string[] } } }
    expect(services.gateway.ports).deep.equal(['8080:8080', '127.0.0.1:9090:9090'])
  })

  it('has the command in the PATH of the image', () => {
    const image = read('Dockerfile')
    expect(image).match(/^RUN ln -s \/app\/bin\/sluiceway\.mjs \/usr\/local\/bin\/sluiceway /m)
    expect(image).match(/^ENTRYPOINT \["sluiceway"\]$/m)
  })

  it('gives the unit a place for compiled code that it may write and nobody else', () => {
    const unit = read('sluiceway.service')
    const [, folder] = /^CacheDirectory=(.+)$/m.exec(unit)!
    expect(unit).match(/^ProtectSystem=strict$/m)
    expect(unit).match(new RegExp(`^Environment=NODE_COMPILE_CACHE=/var/cache/${folder}/`, 'm'))
  })

  it('gives the image and the unit the same threshold of malloc', () => {
    const threshold = 'MALLOC_MMAP_THRESHOLD_=24576'
    expect(read('Dockerfile')).match(new RegExp(`^ENV ${threshold}$`, 'm'))
    expect(read('sluiceway.service')).match(new RegExp(`^Environment=${threshold}$`, 'm'))
  })

  describe('nginx', () => {
    const nginx = useProgram('nginx', 'nginx-light')

    it('reads its configuration', () => {
      const dir = mkdtempSync(join(tmpdir(), 'nginx-'))
      try {
        const more = `pid ${dir}/pid; error_log ${dir}/log;`
        execFileSync(nginx, ['-t', '-p', dir, '-g', more, '-c', join(deploy, 'nginx.conf')], { stdio: 'pipe' })
      } finally {
        rmSync(dir, { recursive: true })
      }
    })
  })
})
