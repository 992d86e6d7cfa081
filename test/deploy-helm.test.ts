/** The chart of deploy/helm: its output for three files of values, as it was reviewed (golden/helm). */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { tryChains } from '../lib/cli/chain.ts'
import { parseConfig } from '../lib/config/read.ts'
import { missingPlugin } from '../lib/process/plugin-loader.ts'
import { helmTemplate, merged } from './support/helm.ts'

const chart = fileURLToPath(new URL('../deploy/helm', import.meta.url))
const golden = fileURLToPath(new URL('golden/helm', import.meta.url))
const read = (file: string) => readFileSync(join(chart, file), 'utf8')
const EXAMPLES = readdirSync(join(chart, 'examples')).map(file => file.replace('.yaml', ''))
const valuesOf = (example: string) => parse(read(`examples/${example}.yaml`)) as object
const render = (values: object) => helmTemplate(chart, values, { name: 'llm', namespace: 'default' })

const { version, repository } = JSON.parse(readFileSync(join(chart, '../../package.json'), 'utf8')) as {
  version: string
  repository: { readonly url: string }
}

interface Step {
  readonly run?: string
  readonly with?: Readonly<Record<string, string>>
}

interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>
}
interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly data: { readonly 'gateway.yaml': string }
  readonly spec: {
    readonly selector: Labels
    readonly podSelector: Labels
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: {
        readonly securityContext: object
        readonly terminationGracePeriodSeconds: number
        readonly containers: readonly [Readonly<Record<string, unknown>>]
      }
    }
  }
}

function manifests(values: object): readonly Manifest[] {
  const files = [...render(values)].filter(([file]) => file.endsWith('.yaml'))
  return files.flatMap(([, text]) => parseAllDocuments(text).map(one => one.toJS() as Manifest))
}

const ofKind = (values: object, kind: string) => manifests(values).find(one => one.kind === kind)!

const accepts = new Ajv({ strict: false }).compile(
  // The validator has draft 7 under its http address.
  { ...(JSON.parse(read('values.schema.json')) as object), $schema: 'http://json-schema.org/draft-07/schema#' },
)
const isAccepted = (values: object) => accepts(merged(parse(read('values.yaml')), values))

describe('deploy/helm', () => {
  for (const example of EXAMPLES)
    it(`writes what was reviewed for examples/${example}.yaml`, () => {
      const all = [...render(valuesOf(example))].map(([file, one]) => `# ${file}\n${one.trim()}\n`)
      const text = all.join('---\n').replaceAll(version, 'VERSION')
      const file = join(golden, `${example}.yaml`)
      if (process.env.UPDATE_GOLDEN !== undefined) writeFileSync(file, text)
      expect(text).equal(readFileSync(file, 'utf8'))
    })

  it('is understood by helm itself, where there is one', function () {
    if (spawnSync('helm', ['version']).error !== undefined) return this.skip()
    for (const example of EXAMPLES) {
      const values = ['--values', join(chart, `examples/${example}.yaml`)]
      const lint = spawnSync('helm', ['lint', '--strict', chart, ...values], { encoding: 'utf8' })
      expect(lint.status, lint.stdout).equal(0)
      const { stdout } = spawnSync('helm', ['template', 'llm', chart, ...values], { encoding: 'utf8' })
      const own = manifests(valuesOf(example))
      expect(parseAllDocuments(stdout).map(one => one.toJS() as Manifest)).have.deep.members([...own])
    }
  })

  it('has a schema that accepts its values, and refuses those that would not work', () => {
    for (const example of EXAMPLES) expect(isAccepted(valuesOf(example)), JSON.stringify(accepts.errors)).equal(true)
    const wrong: readonly object[] = [
      { replicas: 0 },
      { autoscaling: { kind: 'keda' } },
      { autoscaling: { kind: 'vpa' } },
      { config: { listen: { port: 80 } } },
      { config: { listen: { tls: { cert: 'a', key: 'b' } } } },
      { config: { admin: { host: '127.0.0.1' } } },
      { config: { journal: '/journal' } },
      { config: { files: { path: '/files' } } },
      // A file with a member twice is no YAML, and the pods would not start.
      { config: { drain_seconds: 60 } },
      { config: { drain_delay_seconds: 5 } },
      { secret: '' },
      { imagePullSecrets: ['registry'] },
      { networkpolicy: { enabled: false } },
    ]
    for (const values of wrong) expect(isAccepted(values), JSON.stringify(values)).equal(false)
  })

  it('makes configurations that check accepts, with the members of the Secret', async () => {
    const env = {
      STORE: 'postgres://db/sluiceway',
      LIMITS_STORE: 'redis://redis:6379',
      CACHE_ISOLATION_KEY: '0123456789abcdef',
      FIRST_KEY: 'service_0123456789',
    }
    for (const example of EXAMPLES) {
      const { data } = ofKind(valuesOf(example), 'ConfigMap')
      const options = { baseDir: '/etc/sluiceway', fileName: 'gateway.yaml', missingPlugin, onWarning: () => {} }
      const config = parseConfig(data['gateway.yaml'], { ...options, env })
      expect((await tryChains(config)).problems, example).deep.equal([])
    }
  })

  it('keeps members that the values set, next to ports and the path of files', () => {
    const listen = { trusted_proxies: ['10.0.0.0/8'] }
    const config = { listen, admin: { api: false }, files: { retention_days: 7 } }
    const values = merged(valuesOf('minimal'), { config }) as object
    expect(isAccepted(values), JSON.stringify(accepts.errors)).equal(true)
    const read = parse(ofKind(values, 'ConfigMap').data['gateway.yaml']) as Readonly<Record<string, object>>
    expect(read.files).deep.equal({ path: '/var/lib/sluiceway/files', retention_days: 7 })
    expect(read.listen).deep.equal({ host: '0.0.0.0', port: 8080, ...listen })
    expect(read.admin).deep.equal({ host: '0.0.0.0', port: 9090, api: false })
  })

  it('gives the migration the variables of the pods, which the configuration needs', () => {
    const extraEnv = [{ name: 'WEBHOOK', valueFrom: { secretKeyRef: { name: 'alerts', key: 'url' } } }]
    const values = merged(valuesOf('minimal'), { extraEnv }) as object
    const [gateway] = ofKind(values, 'Deployment').spec.template.spec.containers
    const [migrate] = ofKind(values, 'Job').spec.template.spec.containers
    expect(migrate.envFrom).deep.equal(gateway.envFrom)
    expect(migrate.env).deep.equal(extraEnv)
    expect(gateway.env).deep.include(extraEnv[0])
  })

  it('is scraped as the job of the alert rules', () => {
    const { jobLabel } = ofKind(valuesOf('production'), 'ServiceMonitor').spec as { readonly jobLabel?: string }
    const { labels } = manifests(valuesOf('production')).find(({ metadata }) => metadata.name === 'llm-admin')!.metadata
    const rules = readFileSync(join(chart, '../prometheus/rules.yml'), 'utf8')
    const [, job] = /up\{job=~"([^"]+)"\}/.exec(rules)!
    expect(labels[jobLabel!]).match(new RegExp(`^(${job})$`))
  })

  it('selects its pods everywhere, and the pods of the migration nowhere', () => {
    const values = merged(valuesOf('production'), { networkPolicy: { enabled: true } }) as object
    const labels = ofKind(values, 'Deployment').spec.template.metadata.labels
    const migrating = ofKind(values, 'Job').spec.template.metadata.labels
    const { spec: service } = ofKind(values, 'Service')
    const selectors = [
      ofKind(values, 'Deployment').spec.selector.matchLabels,
      ofKind(values, 'PodDisruptionBudget').spec.selector.matchLabels,
      ofKind(values, 'NetworkPolicy').spec.podSelector.matchLabels,
      service.selector as unknown as Labels['matchLabels'],
    ]
    for (const selector of selectors) {
      expect(labels).include(selector)
      expect(Object.entries(selector).every(([name, value]) => migrating[name] === value)).equal(false)
    }
  })

  it('runs pods as the manifests of deploy/kubernetes do', () => {
    const other = parse(readFileSync(join(chart, '../kubernetes/deployment.yaml'), 'utf8')) as Manifest
    const pod = ofKind(valuesOf('production'), 'Deployment').spec.template.spec
    const { spec } = other.spec.template
    expect(pod.securityContext).deep.equal(spec.securityContext)
    expect(pod.terminationGracePeriodSeconds).equal(spec.terminationGracePeriodSeconds)
    for (const same of [
      'args',
      'ports',
      'readinessProbe',
      'livenessProbe',
      'startupProbe',
      'resources',
      'securityContext',
    ])
      expect(pod.containers[0][same], same).deep.equal(spec.containers[0][same])
  })

  it('runs the image that a release pushes, from the repository of the package', () => {
    const workflow = parse(readFileSync(join(chart, '../../.github/workflows/release.yml'), 'utf8')) as {
      readonly env: Readonly<Record<string, string>>
      readonly jobs: { readonly image: { readonly steps: readonly Step[] } }
    }
    const { steps } = workflow.jobs.image
    const [, slug] = /^git\+https:\/\/github\.com\/(\S+)\.git$/.exec(repository.url)!
    const { run } = steps.find(step => step.run?.includes('$GITHUB_ENV'))!
    const env = { GITHUB_REF_NAME: `v${version}`, GITHUB_ENV: '/dev/stdout' }
    const [, tag] = /^VERSION=(\S+)\n$/.exec(
      spawnSync('bash', ['-c', `${run!} | cat`], { env, encoding: 'utf8' }).stdout,
    )!
    const names: Readonly<Record<string, string>> = {
      'env.IMAGE': workflow.env.IMAGE!,
      'env.VERSION': tag!,
      'github.repository': slug!,
    }
    const filled = (text: string): string =>
      text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => filled(names[name]!))
    const pushed = filled(steps.find(step => step.with?.tags !== undefined)!.with!.tags!)
    expect(ofKind({}, 'Deployment').spec.template.spec.containers[0].image).equal(pushed)
  })

  it('is of the version of the gateway', () => {
    expect(parse(read('Chart.yaml'))).include({ version, appVersion: version })
  })
})
