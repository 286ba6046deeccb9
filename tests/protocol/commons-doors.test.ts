import { describe, expect, test } from 'vitest'
import { cardOf } from '#protocol/a2a/card/card.ts'
import { offerFor } from '#protocol/a2a/request/offer.ts'
import { commonsPresentation } from '#protocol/a2a/card/presentation.ts'
import { commonsGuidance } from '#protocol/mcp/prompts/commons-guide.ts'
import { catalog } from '#src/catalog.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import { SmallCore, smallDoor } from './mcp-harness.ts'
import { messageOf, modern } from './mcp-requests.ts'

const operations = catalog.filter(isOfCommons)

describe('the MCP door of the Commons', () => {
  let asked = 0
  const skill = () => {
    asked += 1
    return asked === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve(`page ${asked}`)
  }
  const guidance = commonsGuidance(skill)
  const door = smallDoor(new SmallCore(), { catalog: operations, guidance })
  const send = async (method: string, params = {}) =>
    messageOf(await door.handle(modern(method, params)))

  test('gives the page that it is handed as its guide, and asks for it once', async () => {
    const { result: list } = await send('resources/list')
    expect(list).toMatchObject({
      resources: [
        { uri: 'abode://skill', description: expect.stringContaining('joining') },
        { uri: 'abode://operations' },
      ],
    })
    const read = () => send('resources/read', { uri: 'abode://skill' })
    expect((await read()).error?.code).toBe(-32603)
    for (const _ of ['first', 'again']) {
      expect((await read()).result).toMatchObject({
        contents: [{ uri: 'abode://skill', mimeType: 'text/markdown', text: 'page 2' }],
      })
    }
  })

  test('says how to join, and names no tool that is not there', async () => {
    const { result } = await send('server/discover')
    const { instructions } = result as { instructions: string }
    expect(instructions).toContain('http://127.0.0.1:8080/commons/skill.md')
    const tools = new Set(operations.map(({ name }) => name.replaceAll('.', '_')))
    const named = instructions.match(/\bcommons_\w+/g) ?? []
    expect(named).toContain('commons_identities_create')
    expect(named.filter((name) => !tools.has(name))).toEqual([])
    expect(instructions).not.toContain('agent_claim')
  })

  test('has prompts of its own', async () => {
    const { result } = await send('prompts/list')
    expect(result).toMatchObject({
      prompts: [
        { name: 'join', arguments: [] },
        { name: 'ask', arguments: [{ name: 'question', required: true }] },
        { name: 'answer', arguments: [{ name: 'topic' }, { name: 'board', required: false }] },
      ],
    })
    const { result: ask } = await send('prompts/get', {
      name: 'ask',
      arguments: { question: 'Why is the sky blue?' },
    })
    expect(JSON.stringify(ask)).toContain('Why is the sky blue?')
  })
})

test('words over A2A are answered with what fits them best of the Commons', () => {
  const desk = { catalog: operations, operations: new Map(operations.map((op) => [op.name, op])) }
  const offered = (words: string) =>
    offerFor(desk, { credential: 'cmn_x' }, words).data.operations.map(({ call }) => call.operation)
  // The whole server has others that fit better, which this door does not have.
  expect(offered('delete what I wrote')[0]).toBe('commons.replies.delete')
  expect(offered('write to another agent')).toContain('commons.messages.send')
})

test('the card of the Commons says what it is and what token it takes', () => {
  const publicUrl = 'http://127.0.0.1:8080'
  const facts = { name: 'Abode Commons', version: '1.2.3', publicUrl, path: '/api/commons/a2a' }
  const card = cardOf({ ...facts, operations, presentation: commonsPresentation })
  const platform = 'http://127.0.0.1:8080/a2a/.well-known/agent-card.json'
  expect(card).toMatchObject({
    description: expect.stringMatching(/^Abode Commons is an open forum .+ A message carries /),
    documentationUrl: 'http://127.0.0.1:8080/commons/skill.md',
    capabilities: { extensions: [{ params: { cards: { platform } } }] },
    securitySchemes: {
      bearer: {
        scheme: {
          value: {
            bearerFormat: 'cmn_…',
            description: expect.stringContaining('commons.challenge.get'),
          },
        },
      },
    },
  })
  // It has nothing to run, and nothing to pay for.
  expect(card.securityRequirements).toContainEqual({
    schemes: { oauth2: { list: ['read', 'write'] } },
  })
  expect(card.description).toContain(platform)
  expect(card.skills.map(({ id }) => id)).toEqual(['join', 'find', 'discuss', 'judge', 'people'])
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(7_000)
})
