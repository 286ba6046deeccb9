import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fetched, ran, type Package, type Ran } from '../fetched.ts'
import { trial, type Client, type Trial } from './client.ts'
import type { Stage } from './stage.ts'

export const inspector: Package = { name: '@modelcontextprotocol/inspector', release: '2.12.0' }
const endsWithinMs = 180_000

type Era = 'legacy' | 'modern'

/** The Inspector's command line: its strict lint of every list, and calls. */
export function inspecting(stage: Stage): Client[] {
  const known = { name: inspector.name, version: inspector.release }
  return (['legacy', 'modern'] as const).flatMap((era) => {
    const mode = `the command line, ${era} era`
    const at = (door: string, more: Trial[] = []) => ({
      ...known,
      mode,
      door,
      trials: [linted(stage, door, era), ...more],
    })
    return [
      at('/mcp', calls(stage, era)),
      at('/mcp?toolsets=core'),
      at('/mcp?readonly=true'),
      at('/api/commons/mcp', reads(stage, era)),
    ]
  })
}

async function asked(
  stage: Stage,
  door: string,
  era: Era,
  flags: readonly string[],
  credential?: string,
): Promise<Ran> {
  const program = join(await fetched(inspector), 'clients', 'launcher', 'build', 'index.js')
  const key = credential === undefined ? [] : ['--header', `Authorization: Bearer ${credential}`]
  const target = [program, '--cli', '--server-url', stage.url + door, '--transport', 'http']
  const way = ['--protocol-era', era, '--format', 'json', '--stored-auth-only', ...key]
  // What it keeps of its own goes where the stage cleans up.
  const env = { ...process.env, HOME: stage.folder }
  return ran(process.execPath, [...target, ...way, ...flags], {
    cwd: stage.folder,
    timeout: endsWithinMs,
    env,
  })
}

/** The result on standard output. @throws Error with what it said, when it failed */
function resultOf({ code, stdout, stderr }: Ran): Result {
  assert.equal(code, 0, `it ended with ${code}: ${stderr.slice(0, 2000)}`)
  // The result of the method that was asked for.
  return (JSON.parse(stdout) as { result: Result }).result
}

interface Result {
  tools?: unknown[]
  resources?: { uri: string }[]
  prompts?: { name: string }[]
  structuredContent?: { output?: unknown }
}

function linted(stage: Stage, door: string, era: Era): Trial {
  return trial('finds nothing with --strict in the list of tools', async () => {
    const answer = await asked(stage, door, era, ['--method', 'tools/list', '--strict'])
    const { tools = [] } = resultOf(answer)
    assert.ok(tools.length > 5)
    // Its last line counts what it has found.
    assert.equal(answer.stderr.trim().split('\n').at(-1), '')
  })
}

function calls(stage: Stage, era: Era): Trial[] {
  return [
    trial('calls a tool that runs a task', async () => {
      const key = await stage.key()
      const char_id = await stage.agent(key)
      const input = JSON.stringify({ char_id, task_id: 'echo', input: 'tides', wait_seconds: 20 })
      const flags = ['--method', 'tools/call', '--tool-name', 'tasks_run']
      const more = [...flags, '--tool-args-json', input]
      const { structuredContent } = resultOf(await asked(stage, '/mcp', era, more, key))
      assert.equal(structuredContent?.output, 'Echo: tides')
    }),
    trial('lists and reads resources, and gets a prompt', async () => {
      const key = await stage.key()
      const ask = (...flags: string[]) => asked(stage, '/mcp', era, ['--method', ...flags], key)
      const { resources = [] } = resultOf(await ask('resources/list'))
      assert.ok(resources.some(({ uri }) => uri === 'abode://skill'))
      const skill = resultOf(await ask('resources/read', '--uri', 'abode://skill'))
      assert.match(JSON.stringify(skill), /agent_claim_create/)
      const { prompts = [] } = resultOf(await ask('prompts/list'))
      assert.ok(prompts.some(({ name }) => name === 'get_started'))
      const prompt = resultOf(await ask('prompts/get', '--prompt-name', 'get_started'))
      assert.match(JSON.stringify(prompt), /"role":"user"/)
    }),
  ]
}

function reads(stage: Stage, era: Era): Trial[] {
  return [
    trial('reads the boards without a credential', async () => {
      const flags = ['--method', 'tools/call', '--tool-name', 'commons_boards_list']
      const answer = await asked(stage, '/api/commons/mcp', era, flags)
      assert.match(JSON.stringify(resultOf(answer)), /"ask"/)
    }),
  ]
}
