import { readFileSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namedCallTool } from '#protocol/mcp/named-call-tool.ts'
import { toolSteps } from '#protocol/mcp/tools.ts'
import { catalog } from '#src/catalog.ts'
import { offered } from '#src/core/operation-facts.ts'
import { atOnce } from '#src/core/turns/portions.ts'
import { root } from '#tests/house/tree.ts'
import { isLong } from '#tests/support/long-tests.ts'
import { tryPackage } from './package.ts'
import { newProject, started, type Project } from './project.ts'

const fromBuild = /\/dist\/[0-9a-f]{16}\/adapters-main\.js$/
const fromSources = /\/adapters\/main\.ts$/

describe('a start with a build', () => {
  let project: Project
  let built: string
  const at = (path: string): string => join(project.folder, path)
  beforeAll(async () => {
    project = await newProject()
    expect(await project.build()).toMatchObject({ code: 0, err: '' })
    const { id } = JSON.parse(await readFile(at('dist/build.json'), 'utf8')) as { id: string }
    built = at(`dist/${id}`)
  })
  afterAll(() => project.remove())

  /** Does something while a file holds something else. */
  async function during(path: string, text: string, work: () => Promise<void>): Promise<void> {
    const before = await readFile(path, 'utf8')
    await writeFile(path, text)
    try {
      await work()
    } finally {
      await writeFile(path, before)
    }
  }

  it('runs it where no source is newer, and answers on every door', async () => {
    const statuses: number[] = []
    let listed: unknown
    const from = await project.started(async (url) => {
      const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const json = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const asks = [
        ...[
          '/health',
          '/guides',
          '/openapi.agent.json',
          '/.well-known/agent-card.json',
          '/.well-known/oauth-authorization-server',
        ].map((path) => fetch(url + path)),
        fetch(`${url}/api/agent-claim`, { method: 'POST' }),
        fetch(`${url}/mcp`, { method: 'POST', headers: json, body: JSON.stringify(tools) }),
      ]
      const answers = await Promise.all(asks)
      for (const answer of answers) statuses.push(answer.status)
      const [, data = ''] = /^data: (.+)$/m.exec((await answers.at(-1)?.text()) ?? '') ?? []
      listed = (JSON.parse(data) as { result: { tools: unknown } }).result.tools
    })
    expect(from).toMatch(fromBuild)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200])
    // The build has made them; here the sources do.
    const { descriptors } = atOnce(toolSteps(offered(catalog)))
    expect(listed).toEqual([...descriptors, namedCallTool(false)])
  })

  it('imports nothing that loads what no start needs', async () => {
    const names = (await readdir(built)).filter((name) => name.endsWith('.js'))
    const texts = await Promise.all(names.map((name) => readFile(join(built, name), 'utf8')))
    // As modules they load Node's own fetch; so do packages that import them so.
    const imported = /^import .* from ["'](?:(?:node:)?http|@koa\/router)["']/m
    expect(names.filter((_, at) => imported.test(texts[at] ?? ''))).toEqual([])
  })

  it('has compiled it ahead, next to it', async () => {
    const [version = ''] = await readdir(join(built, 'cache'))
    expect(version).toContain(process.version)
    expect((await readdir(join(built, 'cache', version))).length).toBeGreaterThan(100)
  })

  it('runs it where its compiled code can be neither read nor written', async () => {
    await rename(join(built, 'cache'), join(built, 'kept'))
    await writeFile(join(built, 'cache'), '')
    expect(await project.started()).toMatch(fromBuild)
    await rm(join(built, 'cache'))
    await rename(join(built, 'kept'), join(built, 'cache'))
  })

  it('runs the sources where one is newer', async () => {
    const path = at('src/core/time.ts')
    const now = new Date()
    await utimes(path, now, now)
    expect(await project.started()).toMatch(fromSources)
    const before = new Date(now.getTime() - 3_600_000)
    await utimes(path, before, before)
    expect(await project.started()).toMatch(fromBuild)
  })

  it('runs the sources where one was added or removed', async () => {
    await writeFile(at('src/more.ts'), '')
    const before = new Date(Date.now() - 3_600_000)
    await utimes(at('src/more.ts'), before, before)
    expect(await project.started()).toMatch(fromSources)
    await rm(at('src/more.ts'))
  })

  it.each([
    ['is cut off', '{"id":"01234567'],
    ['names a place outside', '{"id":"../../tmp/x","files":1,"began":9e15}'],
    ['is of another kind', '[]'],
    ['counts other sources', '{"id":"0123456789abcdef","files":1,"began":9e15}'],
  ])('is passed over where its record %s', async (_, text) => {
    await during(at('dist/build.json'), text, async () => {
      // It is JavaScript that the start itself imports, and says what is fresh in its own tree.
      const { freshBuild } = (await import(at('adapters/process/build.js'))) as {
        freshBuild: () => string | undefined
      }
      expect(freshBuild()).toBe(undefined)
    })
  })

  it('runs the sources where its record names a build that is not there', async () => {
    const record = JSON.parse(await readFile(at('dist/build.json'), 'utf8')) as object
    const other = JSON.stringify({ ...record, id: '0123456789abcdef' })
    await during(at('dist/build.json'), other, async () => {
      expect(await project.started()).toMatch(fromSources)
    })
  })

  it('runs the sources where the build lacks the program', async () => {
    await rename(join(built, 'adapters-main.js'), join(built, 'gone'))
    expect(await project.started()).toMatch(fromSources)
    await rename(join(built, 'gone'), join(built, 'adapters-main.js'))
  })

  it('runs it where a later build was interrupted', async () => {
    await mkdir(at('dist/draft-x'), { recursive: true })
    await writeFile(at('dist/draft-x/adapters-main.js'), 'half of')
    expect(await project.started()).toMatch(fromBuild)
  })

  it.runIf(isLong)('is built twice at once, and runs', async () => {
    const both = await Promise.all([project.build(), project.build()])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await project.started()).toMatch(fromBuild)
  })

  it('runs it from the files of the image alone', async () => {
    const image = await mkdtemp(join(tmpdir(), 'abode-image-'))
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\nFROM ').at(-1) ?? ''
    const copied = [...dockerfile.matchAll(/^COPY (?:--from=build )?(.+) (\S+)$/gm)]
      .filter(([, from]) => !from?.includes('node_modules'))
      .flatMap(([, from = '']) => from.split(' ').filter((path) => !path.startsWith('--')))
      .map((path) => path.replace(/^\/app\//, ''))
    expect(copied).toContain('dist')
    for (const path of copied) {
      const source = path === 'LICENSE' ? join(root, path) : at(path)
      await mkdir(dirname(join(image, path)), { recursive: true })
      await cp(source, join(image, path), { recursive: true })
    }
    await cp(at('node_modules'), join(image, 'node_modules'), { recursive: true })
    const statuses: number[] = []
    const from = await started(image, async (url) => {
      for (const path of ['/health', '/guides/running-it', '/api/conformance']) {
        statuses.push((await fetch(url + path)).status)
      }
    })
    expect(from).toMatch(fromBuild)
    expect(statuses).toEqual([200, 200, 200])
    await rm(image, { recursive: true })
  })

  it('makes a package that does everything by itself', async () => {
    await rm(at('dist/draft-x'), { recursive: true, force: true })
    await tryPackage(project)
  }, 120_000)
})

describe('a start without a bundler', () => {
  it('runs the sources, and its build ends well with one line', async () => {
    const project = await newProject(['rolldown'])
    const { code, out, err } = await project.build()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toBe('There is no bundler among the packages: the sources run as they are.\n')
    expect(await project.started()).toMatch(fromSources)
    await project.remove()
  })
})
