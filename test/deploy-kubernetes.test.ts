/** The manifests of deploy/kubernetes fit together: what can be found out about them without a cluster. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { parse, parseAllDocuments } from 'yaml'
import { tryChains } from '../lib/cli/chain.ts'
import { parseConfig } from '../lib/config/read.ts'
import { missingPlugin } from '../lib/process/plugin-loader.ts'

const folder = fileURLToPath(new URL('../deploy/kubernetes', import.meta.url))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

interface Labels {
  readonly matchLabels: Readonly<Record<string, string>>
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold: number
}

interface Named {
  readonly name: string
}

interface Built {
  readonly kind: string
  readonly metadata: Named & { readonly labels?: Readonly<Record<string, string>> }
  readonly data?: object
}

interface Container {
  readonly args: readonly string[]
  readonly env: readonly (Named & { readonly value: string })[]
  readonly envFrom: readonly { readonly secretRef: Named }[]
  readonly ports: readonly (Named & { readonly containerPort: number })[]
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly startupProbe: Probe
  readonly resources: { readonly limits: { readonly memory: string } }
  readonly volumeMounts: readonly (Named & { readonly mountPath: string; readonly readOnly?: boolean })[]
}

interface Pod {
  readonly securityContext: { readonly runAsNonRoot: boolean }
  readonly containers: readonly [Container]
  readonly volumes: readonly (Named & { readonly configMap?: Named; readonly emptyDir?: object })[]
}

interface Deployment {
  readonly metadata: Named
  readonly spec: {
    readonly replicas: number
    readonly selector: Labels
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number; readonly maxSurge: number } }
    readonly template: { readonly metadata: { readonly labels: Labels['matchLabels'] }; readonly spec: Pod }
  }
}

interface Kustomization {
  readonly resources: readonly string[]
  readonly configMapGenerator: readonly (Named & { readonly files: readonly string[] })[]
}

const { spec } = parse(read('deployment.yaml')) as Deployment
const pod = spec.template.spec
const [container] = pod.containers
const labels = spec.template.metadata.labels
const kustomization = parse(read('kustomization.yaml')) as Kustomization
const [generated] = kustomization.configMapGenerator

/** What the pod gets from the Secret, whose members the comment of kustomization.yaml creates. */
const secrets = Object.fromEntries(
  [...read('kustomization.yaml').matchAll(/--from-literal=(\w+)=(\w*)/g)].map(([, name, value]) => [
    name!,
    ({ postgres: 'postgres://db/sluiceway', redis: 'redis://redis:6379' } as Record<string, string>)[value!] ??
      'service_0123456789',
  ]),
)
const config = () =>
  parseConfig(read('gateway.yaml'), {
    ...{ baseDir: '/etc/sluiceway', env: secrets, fileName: 'gateway.yaml', missingPlugin, onWarning: () => {} },
  })

describe('deploy/kubernetes', () => {
  it('names every manifest in kustomization.yaml, and makes the ConfigMap from the configuration', () => {
    const rest = readdirSync(folder).filter(name => name !== 'kustomization.yaml')
    const resources = kustomization.resources.filter(name => name !== '../grafana')
    expect([...resources, ...generated!.files].toSorted()).deep.equal(rest.toSorted())
  })

  it('has objects of the kinds and versions of today, each with a name', () => {
    const files = kustomization.resources.filter(name => name.endsWith('.yaml'))
    const kinds = files.map(file => {
      const { apiVersion, kind, metadata } = parse(read(file)) as { apiVersion: string; kind: string; metadata: Named }
      expect(metadata.name, file).equal('sluiceway')
      return `${apiVersion} ${kind}`
    })
    expect(kinds.toSorted()).deep.equal([
      'apps/v1 Deployment',
      'monitoring.coreos.com/v1 PodMonitor',
      'monitoring.coreos.com/v1 PrometheusRule',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'v1 Service',
    ])
  })

  it('selects the pods of the Deployment everywhere', () => {
    expect(spec.selector.matchLabels).deep.equal(labels)
    const selecting = (file: string) => (parse(read(file)) as { spec: { selector: Labels } }).spec.selector
    expect(selecting('disruption.yaml').matchLabels).deep.equal(labels)
    expect(selecting('pod-monitor.yaml').matchLabels).deep.equal(labels)
    expect(selecting('service.yaml')).deep.equal(labels)
  })

  it("has the alert rules that are tested, and opens the operators' port to Prometheus alone", () => {
    const { groups } = parse(read('../prometheus/rules.yml')) as { groups: unknown }
    expect((parse(read('prometheus-rule.yaml')) as { spec: unknown }).spec).deep.equal({ groups })
    const policy = parse(read('network-policy.yaml')) as {
      spec: { podSelector: Labels; ingress: { from?: object[]; ports: { port: string }[] }[] }
    }
    expect(policy.spec.podSelector.matchLabels).deep.equal(labels)
    const open = policy.spec.ingress.filter(({ from }) => from === undefined)
    expect(open.flatMap(({ ports }) => ports)).deep.equal([{ port: 'http' }])
    expect(policy.spec.ingress.flatMap(({ ports }) => ports)).deep.equal([{ port: 'http' }, { port: 'admin' }])
    expect(config().admin).include({ api: true })
  })

  it('is built by kubectl, with the board as a ConfigMap that Grafana finds by its label', function () {
    const kubectl = '/usr/bin/kubectl'
    if (!existsSync(kubectl)) return this.skip()
    const built = execFileSync(kubectl, ['kustomize', folder], { encoding: 'utf8' })
    const objects = parseAllDocuments(built).map(one => one.toJS() as Built)
    const maps = objects.filter(({ kind }) => kind === 'ConfigMap')
    expect(maps.map(({ metadata }) => metadata.name).toSorted()).deep.equal(['sluiceway', 'sluiceway-dashboard'])
    const board = maps.find(({ metadata }) => metadata.name === 'sluiceway-dashboard')!
    expect(board.metadata.labels).deep.equal({ grafana_dashboard: '1' })
    expect(Object.keys(board.data!)).deep.equal(['sluiceway.json'])
    expect(objects.map(({ kind }) => kind)).include.members(['Deployment', 'NetworkPolicy', 'PrometheusRule'])
  })

  it('has a configuration that check accepts with the members of the Secret, and its chain runs', async () => {
    expect(Object.keys(secrets)).deep.equal(['STORE', 'LIMITS_STORE', 'FIRST_KEY', 'CACHE_ISOLATION_KEY'])
    expect((await tryChains(config())).problems).deep.equal([])
    expect(container.envFrom).deep.equal([{ secretRef: { name: 'sluiceway' } }])
  })

  it('routes as one: pods have a common key, and each engine is a backend', () => {
    const { cache_isolation_key: key, models, limits_store: limits } = config()
    expect(limits).match(/^redis:/)
    expect(key).equal(secrets.CACHE_ISOLATION_KEY)
    for (const { backends, discover } of models) {
      expect(backends).deep.equal([])
      expect(discover.length).above(0)
    }
  })

  it('opens the ports of the configuration, and asks and serves at these', () => {
    const { listen, admin } = config()
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    expect(Object.fromEntries(ports)).deep.equal({ http: listen.port, admin: admin!.port })
    expect([listen.host, admin!.host]).deep.equal(['0.0.0.0', '0.0.0.0'])
    for (const probe of [container.readinessProbe, container.livenessProbe, container.startupProbe])
      expect(probe.httpGet.port).equal('admin')
    expect(container.readinessProbe.httpGet.path).equal('/readyz')
    expect(container.livenessProbe.httpGet.path).equal('/livez')
    const service = parse(read('service.yaml')) as { spec: { ports: { targetPort: string }[] } }
    expect(service.spec.ports.map(({ targetPort }) => targetPort)).deep.equal(['http'])
    const monitor = parse(read('pod-monitor.yaml')) as {
      spec: { podMetricsEndpoints: { port: string; path: string }[] }
    }
    expect(monitor.spec.podMetricsEndpoints).deep.include({ port: 'admin', path: '/metrics', interval: '15s' })
  })

  it('mounts the volumes that it has, and writes into those that may be written', () => {
    expect(container.volumeMounts.map(({ name }) => name).toSorted()).deep.equal(
      pod.volumes.map(({ name }) => name).toSorted(),
    )
    const { journal, files } = config()
    const writable = container.volumeMounts
      .filter(({ readOnly }) => readOnly !== true)
      .map(({ mountPath }) => mountPath)
    for (const path of [journal, files.path])
      expect(
        writable.some(at => path.startsWith(`${at}/`)),
        path,
      ).equal(true)
    const mounted = container.volumeMounts.find(({ name }) => name === 'config')!
    const [, , file] = container.args
    expect(file).equal(`${mounted.mountPath}/${generated!.files[0]}`)
    expect(pod.volumes.find(({ name }) => name === 'config')!.configMap).deep.equal({ name: generated!.name })
  })

  it('serves while one pod is replaced or evicted', () => {
    const { rollingUpdate } = spec.strategy
    expect(rollingUpdate).deep.equal({ maxUnavailable: 0, maxSurge: 1 })
    const budget = (parse(read('disruption.yaml')) as { spec: { maxUnavailable: number } }).spec.maxUnavailable
    expect(budget).least(1).and.below(spec.replicas)
    // A pod is out of the Service before it stops listening.
    const { readinessProbe } = container
    expect(config().drain_delay_seconds).above(readinessProbe.periodSeconds * readinessProbe.failureThreshold)
  })

  it('has a heap within the memory of the pod', () => {
    const heap = Number(
      /--max-old-space-size=(\d+)/.exec(container.env.find(({ name }) => name === 'NODE_OPTIONS')!.value)![1],
    )
    const memory = Number(/^(\d+)Gi$/.exec(container.resources.limits.memory)![1]) * 1024
    expect(heap).below(0.75 * memory)
    expect(pod.securityContext.runAsNonRoot).equal(true)
  })
})
