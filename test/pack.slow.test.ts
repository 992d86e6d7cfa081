/** The package that `npm pack` makes, as its users get it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { eventually } from './support/gateway.ts'
import { builtSite } from './support/site.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Not part of a fresh checkout. */
const LEFT_OUT = new Set(['node_modules', '.git', 'dist', 'data', 'validators'])

/** The failures of an npm that finds no registry. */
const NO_REGISTRY = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/

function npm(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

describe('npm pack', function () {
  this.timeout(240_000)
  let directory: string
  let app: string
  let child: ChildProcess | undefined

  before(async function () {
    // The checkout below has the site that is built here.
    await builtSite()
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-'))
    const checkout = join(directory, 'checkout')
    const isWanted = (path: string) => !LEFT_OUT.has(basename(path)) || path.includes('/test/')
    cpSync(root, checkout, { recursive: true, filter: isWanted })
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
    // Older than the packages, which so are taken for installed.
    utimesSync(join(checkout, 'package-lock.json'), 0, 0)
    const manifest = readFileSync(join(checkout, 'package.json'), 'utf8')
    const built = npm(checkout, 'run', 'build')
    expect(built.status, built.text).equal(0)
    const packed = npm(checkout, 'pack', './dist', '--pack-destination', directory)
    expect(packed.status, packed.text).equal(0)

    app = join(directory, 'app')
    mkdirSync(app)
    const { name, version } = JSON.parse(manifest) as { name: string; version: string }
    const tarball = join(directory, `${name}-${version}.tgz`)
    const installed = npm(app, 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
    if (process.env.REQUIRE_SERVICES === undefined && NO_REGISTRY.test(installed.text)) return this.skip()
    expect(installed.status, installed.text).equal(0)
  })

  after(async () => {
    if (child !== undefined && child.exitCode === null) {
      child.kill('SIGTERM')
      await new Promise(resolve => child!.once('exit', resolve))
    }
    rmSync(directory, { recursive: true, force: true })
  })

  it('gives a package that serves, and names its own command', async () => {
    const command = join(app, 'node_modules/.bin/sluiceway')
    child = spawn(command, ['serve', '--port', '0', '--admin-port', '0'], { cwd: app })
    let out = ''
    child.stdout!.on('data', part => (out += String(part)))
    child.stderr!.on('data', part => (out += String(part)))
    await eventually(() => out.includes('Ctrl-C') || child!.exitCode !== null, 'a banner', 60_000)
    expect(out).contain('run: sluiceway serve --config FILE').and.not.contain('npm start')
    const demo = readFileSync(join(app, 'data/demo.yaml'), 'utf8')
    expect(demo).contain('`sluiceway serve`').and.not.contain('npm start')
    const url = /Gateway +(\S+)/.exec(out)![1]!
    const secret = /API key +(\S+)/.exec(out)![1]!
    const answer = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'hi' }] }),
    })
    expect(answer.status, await answer.text()).equal(200)
  })

  it('is installed as the systemd unit says, and runs by a link in the PATH, as in the image', () => {
    const prefix = join(directory, 'opt/sluiceway')
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>
    const tarball = join(directory, `${name}-${version}.tgz`)
    const flags = ['--prefer-offline', '--no-audit', '--no-fund']
    const installed = npm(directory, 'install', '--global', '--prefix', prefix, ...flags, tarball)
    expect(installed.status, installed.text).equal(0)
    const unit = readFileSync(join(root, 'deploy/sluiceway.service'), 'utf8').replaceAll('/opt/sluiceway', prefix)
    const commands = [...unit.matchAll(/^Exec(?:StartPre|Start)=(\S+) (\w+) /gm)]
    expect(commands.map(([, , action]) => action)).deep.equal(['check', 'serve'])
    const linked = join(directory, 'linked')
    symlinkSync(commands[0]![1]!, linked)
    // The image has a copy of dist/, with the packages next to it.
    const copied = join(prefix, 'lib/node_modules', name!, 'bin/sluiceway.mjs')
    const inImage = join(directory, 'in-image')
    symlinkSync(copied, inImage)
    for (const command of [linked, inImage]) {
      const { status, stdout, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8' })
      expect([status, stdout], stderr).deep.equal([0, `${version}\n`])
    }
    const [, page] = /^Documentation=file:(.*)$/m.exec(unit)!
    expect(existsSync(page!), page).equal(true)
    const analyze = '/usr/bin/systemd-analyze'
    if (!existsSync(analyze)) return
    const file = join(directory, 'sluiceway.service')
    writeFileSync(file, unit)
    const { stderr } = spawnSync(analyze, ['verify', '--man=no', file], { encoding: 'utf8' })
    expect(stderr).equal('')
  })

  it('runs as in the image: process 1, a user without rights, a read-only file system', async function () {
    const state = join(directory, 'state')
    mkdirSync(state)
    const config = join(directory, 'gateway.yaml')
    const kept = `store: sqlite:${state}/s.db\njournal: ${state}/journal\nfiles: { path: ${state}/files }\n`
    const model = 'models: [{ id: m, backends: [{ url: "http://127.0.0.1:1/v1", model: m }] }]\n'
    writeFileSync(config, `listen: { port: 0 }\nadmin: { port: 0 }\n${kept}${model}`)
    chmodSync(directory, 0o755)
    const command = join(app, 'node_modules/sluiceway/bin/sluiceway.mjs')
    const script = `mount -t tmpfs -o mode=0777 tmpfs ${state} && mount -o remount,bind,ro / && ! touch ${app}/x 2>/dev/null &&
      exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs --inh-caps=-all \
      env NODE_COMPILE_CACHE=${state}/compile "${process.execPath}" ${command} serve --config ${config}`
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
    // Only root makes them without a namespace of users, in which no other user exists.
    if (spawnSync('unshare', [...namespaces, 'true']).status !== 0) return this.skip()
    const outer = spawn('unshare', [...namespaces, 'sh', '-c', script])
    let out = ''
    outer.stdout.on('data', part => (out += String(part)))
    outer.stderr.on('data', part => (out += String(part)))
    await eventually(() => out.includes('http://127.0.0.1:') || outer.exitCode !== null, 'a gateway', 60_000)
    const [, url] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(out) ?? []
    expect(url, out).not.equal(undefined)
    const [first] = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim().split(' ')
    expect(readFileSync(`/proc/${first}/status`, 'utf8'))
      .match(/^Uid:\t65534\t65534/m)
      .and.match(/^CapEff:\t0+$/m)
    // Process 1 gets no signal that it has no handler for.
    process.kill(Number(first), 'SIGTERM')
    await eventually(() => outer.exitCode !== null, 'its end', 30_000)
    expect(outer.exitCode, out).equal(0)
  })

  it('names the Node that it needs, and how to get it there, on one that is too old', () => {
    const bootstrap = join(app, 'node_modules/sluiceway/bin/bootstrap.mjs')
    const newer = readFileSync(bootstrap, 'utf8').replace(/const MINIMUM = \[.*\]/, 'const MINIMUM = [99, 0, 0]')
    const folder = join(directory, 'too-old/bin')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'bootstrap.mjs'), newer)
    for (const file of ['sluiceway.mjs', 'validators.mjs', 'node-flags.json'])
      cpSync(join(app, 'node_modules/sluiceway/bin', file), join(folder, file))
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'sluiceway.mjs'), '--version'], {
      encoding: 'utf8',
    })
    expect([status, stderr.includes('npm ci')]).deep.equal([1, false])
    expect(stderr).match(
      /^Node 99\.0\.0 or newer is needed and this is \S+\. Install it .* npm install -g sluiceway\n$/,
    )
  })

  it('contains the documentation site, and the files of deploy/', () => {
    for (const file of ['site/index.html', 'deploy/sluiceway.service', 'SECURITY.md'])
      expect(existsSync(join(app, 'node_modules/sluiceway', file)), file).equal(true)
  })

  it('names its repository, without which npm takes no provenance', () => {
    const manifest = readFileSync(join(app, 'node_modules/sluiceway/package.json'), 'utf8')
    const { repository } = JSON.parse(manifest) as { readonly repository: { readonly url: string } }
    expect(repository.url).match(/^git\+https:\/\/github\.com\/.+\.git$/)
  })

  it('gives a package that plugins and tests import from', () => {
    const file = join(app, 'imports.mjs')
    const doors = ['console', 'plugin', 'slots', 'simulator', 'testing']
    writeFileSync(file, doors.map(door => `import 'sluiceway/${door}'\n`).join(''))
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    expect(status, stderr).equal(0)
  })
})
