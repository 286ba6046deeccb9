import assert from 'node:assert/strict'
import { createMCPClient } from '@ai-sdk/mcp'
import { generateText, isStepCount } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { ToolResult } from '#tests/support/mcp-clients.ts'
import { trial, type Client, type Trial } from './client.ts'
import { installedVersion } from './installed.ts'
import { inCommons, onPlatform } from './mcp-trials.ts'
import type { Stage } from './stage.ts'
import type { Speak } from './voice.ts'

const name = '@ai-sdk/mcp'

/** The MCP client of the AI SDK, at both doors, and as the tools of a model. */
export function aiSdk(stage: Stage): Client[] {
  return [true, false].flatMap((discovers) => {
    const mode = discovers ? 'the client as it comes' : 'the client that only shakes hands'
    const known = { name, version: installedVersion(name), mode }
    const at = (door: string) => ({ speak: speaker(stage.url + door, discovers), stage })
    const [platform, core, commons] = ['/mcp', '/mcp?toolsets=core', '/api/commons/mcp']
    return [
      { ...known, door: platform, trials: onPlatform(at(platform)) },
      { ...known, door: core, trials: [asTools(stage, discovers)] },
      { ...known, door: commons, trials: inCommons(at(commons)) },
    ]
  })
}

function connect(url: string, protocolVersionDiscovery: boolean, credential?: string) {
  const headers: Record<string, string> =
    credential === undefined ? {} : { authorization: `Bearer ${credential}` }
  return createMCPClient({ transport: { type: 'http', url, headers }, protocolVersionDiscovery })
}

function speaker(url: string, discovers: boolean): Speak {
  return async (credential) => {
    const client = await connect(url, discovers, credential)
    return {
      revision: client.initializeResult.protocolVersion,
      tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      // Its type allows results of an older protocol too.
      call: async (tool, args = {}) =>
        (await client.callTool({ name: tool, arguments: args })) as ToolResult,
      resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      read: async (uri) => JSON.stringify((await client.readResource({ uri })).contents),
      prompts: async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
      prompt: async (prompt, args) =>
        JSON.stringify((await client.getPrompt({ name: prompt, arguments: args })).messages),
      async complete(prompt, argument, value) {
        const ref = { type: 'ref/prompt' as const, name: prompt }
        const { completion } = await client.complete({ ref, argument: { name: argument, value } })
        return completion.values
      },
      close: () => client.close(),
    }
  }
}

/** The library turns every tool into one of its own and checks what comes with the tool's schemas. */
function asTools(stage: Stage, discovers: boolean): Trial {
  return trial('hands the tools to a model, which calls one and reads the answer', async () => {
    const key = await stage.key()
    const char_id = await stage.agent(key)
    const client = await connect(`${stage.url}/mcp?toolsets=core`, discovers, key)
    try {
      const tools = await client.tools()
      const model = callingOnce('tasks_run', { char_id, task_id: 'echo', input: 'tides' })
      const { text, steps } = await generateText({
        model,
        tools,
        prompt: 'Run the task.',
        stopWhen: isStepCount(3),
      })
      assert.equal(text, 'Done.')
      const [result] = steps[0]?.toolResults ?? []
      assert.match(JSON.stringify(result?.output), /Echo: tides/)
      const [asked] = model.doGenerateCalls
      assert.equal(asked?.tools?.length, Object.keys(tools).length)
    } finally {
      await client.close()
    }
  })
}

/** A model that calls one tool, and is done when it has the answer. */
function callingOnce(toolName: string, input: object): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isAnswered = prompt.at(-1)?.role === 'tool'
      const call = { type: 'tool-call' as const, toolCallId: 'call-1', toolName }
      return {
        content: isAnswered
          ? [{ type: 'text', text: 'Done.' }]
          : [{ ...call, input: JSON.stringify(input) }],
        finishReason: { unified: isAnswered ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}
