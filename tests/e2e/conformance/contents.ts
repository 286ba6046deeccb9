import { setTimeout as pause } from 'node:timers/promises'
import {
  fromJsonSchema,
  ResourceTemplate,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

/** The smallest PNG and WAV there are. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const image = { type: 'image' as const, data: png, mimeType: 'image/png' }

export function text(said: string): CallToolResult {
  return { content: [{ type: 'text', text: said }] }
}

/** Tools that answer each kind of content that the suite asks for. */
export function addContents(server: McpServer): void {
  const add = (
    name: string,
    answer: (ctx: ServerContext) => CallToolResult | Promise<CallToolResult>,
  ) => server.registerTool(name, { description: `Answers as ${name} is to.` }, answer)
  add('test_simple_text', () => text('This is a simple text response for testing.'))
  add('test_image_content', () => ({ content: [image] }))
  add('test_audio_content', () => ({
    content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  }))
  add('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  }))
  add('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  }))
  add('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  add('test_tool_with_logging', async ({ mcpReq }) => {
    for (const said of ['started', 'processing', 'completed']) {
      await mcpReq.log('info', `Tool execution ${said}`)
      await pause(50)
    }
    return text('Three lines were logged.')
  })
  add('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'only for those who asked for it')
    return text('A line was logged, if it was asked for.')
  })
  add('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, total: 100 }
        await mcpReq.notify({ method: 'notifications/progress', params })
      }
      await pause(50)
    }
    return text('Done.')
  })
}

function embedded(uri: string, said: string, mimeType = 'text/plain') {
  return { type: 'resource' as const, resource: { uri, mimeType, text: said } }
}

/** Tools whose schemas use what a schema may use. */
export function addSchemas(server: McpServer): void {
  const everything = fromJsonSchema<Record<string, unknown>>({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  })
  const description = 'Takes what its schema says.'
  server.registerTool(
    'json_schema_2020_12_tool',
    { description, inputSchema: everything },
    (sent) => text(JSON.stringify(sent)),
  )
  // A keyword of MCP, which the type of JSON Schema does not name.
  const region: object = { type: 'string', 'x-mcp-header': 'Region' }
  const mirrored = fromJsonSchema<{ region: string }>({
    type: 'object',
    properties: { region },
    required: ['region'],
  })
  server.registerTool(
    'test_mirrored_header',
    { description, inputSchema: mirrored },
    ({ region }) => text(`The region is ${region}.`),
  )
}

export function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' }
  const fixed = (name: string, said: string) =>
    server.registerResource(name, `test://${name}`, plain, ({ href }) => ({
      contents: [{ uri: href, ...plain, text: said }],
    }))
  fixed('static-text', 'This is the content of the static text resource.')
  fixed('watched-resource', 'Nothing has changed.')
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { mimeType: 'image/png' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'image/png', blob: png }] }),
  )
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, (uri, { id }) => {
    const said = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` })
    return { contents: [{ uri: uri.href, mimeType: 'application/json', text: said }] }
  })
  const subscription = { params: z.object({ uri: z.string() }) }
  server.server.setRequestHandler('resources/subscribe', subscription, () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', subscription, () => ({}))
}

export function addPrompts(server: McpServer): void {
  const user = (...contents: object[]) => ({
    messages: contents.map((content) => ({ role: 'user' as const, content: content as never })),
  })
  const says = (said: string) => ({ type: 'text', text: said })
  const description = 'Says what it is to say.'
  server.registerPrompt('test_simple_prompt', { description }, () =>
    user(says('This is a simple prompt for testing.')),
  )
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description, argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    ({ arg1, arg2 }) => user(says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) =>
      user(
        embedded(resourceUri, 'Embedded resource content for testing.'),
        says('Please process the embedded resource above.'),
      ),
  )
  server.registerPrompt('test_prompt_with_image', { description }, () =>
    user(image, says('Please analyze the image above.')),
  )
  const completed = { params: z.looseObject({}) }
  server.server.registerCapabilities({ completions: {} })
  server.server.setRequestHandler('completion/complete', completed, () => ({
    completion: { values: [], total: 0, hasMore: false },
  }))
}
