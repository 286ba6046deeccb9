import { expect } from 'vitest'
import { encoded, picture } from '#tests/support/pictures.ts'
import {
  agent,
  agentRefusals,
  given,
  needsKey,
  staleRevision,
  type Case,
  type Made,
  type Stage,
} from '../case.ts'

const add = 'characters.photos.add'
const setAsProfile = 'characters.photos.set_as_profile'
const remove = 'characters.photos.remove'

const file = encoded(await picture())
const other = encoded(await picture('jpeg', { colour: '#a03070' }), 'eve.jpg', 'image/jpeg')
const foreign = 'https://pictures.example/ada.png'
const address = /\/media\/med_[0-9a-f]{32}\.webp$/

/** An agent with two uploaded photos. */
const photographed = async (stage: Stage): Promise<{ char_id: string }> => {
  const char_id = await agent(stage)
  await stage.ask(add, { char_id, file, prompt: 'First', seed: 7 })
  await stage.ask(add, { char_id, file: other })
  return { char_id }
}

/** An agent whose photos are addresses elsewhere, with one description too few. */
const linked = (stage: Stage): Promise<string> => {
  const photos = [foreign, `${foreign}?2`]
  const photo_meta = [{ url: foreign, prompt: 'Mine' }]
  return agent(stage, 'ada', { appearance: { photos, photo_meta, avatar_url: foreign } })
}

const mediaOf = async (stage: Stage, char_id: string): Promise<string[]> =>
  (await stage.world.ports.store.media.find({ char_id })).map(({ id }) => id)

const idsIn = (photos: Made): (string | undefined)[] =>
  Array.from<Made>(photos).map((url) => /med_[0-9a-f]+/.exec(url)?.[0])

const adding: Case[] = [
  ...needsKey(add, { char_id: 'ada', file }),
  ...agentRefusals(add, (char_id) => ({ char_id, file })),
  given({
    op: add,
    title: 'a photo is kept as WebP, with what was said of it',
    as: 'scoped',
    given: async (stage) => {
      const char_id = await agent(stage)
      await stage.scopeTo(char_id)
      return char_id
    },
    input: (char_id) => ({ char_id, file, prompt: 'At her desk', model: 'm', seed: 42 }),
    answer: async ({ appearance, revision }, char_id, stage) => {
      const url: unknown = expect.stringMatching(address)
      expect(appearance.photos).toEqual([url])
      const [meta] = appearance.photo_meta
      expect(meta).toEqual({
        url: appearance.photos[0],
        prompt: 'At her desk',
        model: 'm',
        provider: '',
        source: '',
        seed: 42,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      })
      expect(appearance.avatar_url).toBeNull()
      expect(revision).toBe(2)
      const [media] = await stage.world.ports.store.media.find({ char_id })
      expect(media).toMatchObject({ media_type: 'image/webp', width: 16, height: 12 })
      const bytes = await stage.world.ports.files.read(media?.id ?? '')
      expect(bytes).toHaveLength(media?.bytes ?? -1)
      expect(await stage.ask('characters.get', { char_id })).toMatchObject({ appearance })
    },
  }),
  given({
    op: add,
    title: 'a photo is the last of them, and the others stay as they are',
    as: 'owner',
    given: linked,
    input: (char_id) => ({ char_id, file }),
    answer: ({ appearance }) => {
      expect(appearance.photos).toHaveLength(3)
      expect(appearance.photo_meta).toMatchObject([
        { url: foreign, prompt: 'Mine' },
        { url: `${foreign}?2`, prompt: '' },
        { url: appearance.photos[2] },
      ])
      expect(appearance.avatar_url).toBe(foreign)
    },
  }),
  ...(
    [
      ['no picture', encoded(Buffer.from('<html>'), 'ada.png'), 'type_unsupported'],
      [
        'a picture that ends early',
        encoded(Buffer.from(file.data, 'base64').subarray(0, 60)),
        'broken',
      ],
    ] as const
  ).map(([title, sent, code]) =>
    given({
      op: add,
      title: `${title} is refused, and nothing is kept of it`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, file: sent }),
      refusal: 'invalid_input',
      error: ({ errors }) => expect(errors).toMatchObject([{ pointer: '/file', code }]),
    }),
  ),
  ...(
    [
      ['an empty file', { ...file, data: '' }, 'empty_file', '/file'],
      ['no file', undefined, 'invalid_type', '/file'],
      ['a text for a file', 'a text', 'invalid_type', '/file'],
      [
        'a file without a name',
        { ...file, filename: 'pictures/' },
        'filename_invalid',
        '/file/filename',
      ],
      [
        'a name with a control character',
        { ...file, filename: 'a\u0007.png' },
        'filename_invalid',
        '/file/filename',
      ],
    ] as const
  ).map(([title, sent, code, pointer]) =>
    given({
      op: add,
      title: `${title} is refused`,
      as: 'owner',
      given: (stage) => agent(stage),
      input: (char_id) => ({ char_id, ...(sent !== undefined && { file: sent }) }),
      refusal: 'invalid_input',
      error: ({ errors }) => expect(errors).toMatchObject([{ pointer, code }]),
    }),
  ),
  given({
    op: add,
    title: 'what is not base64 is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, file: { ...file, data: 'not base64!' } }),
    refusal: 'invalid_input',
    error: ({ errors }) =>
      expect(errors).toMatchObject([{ pointer: '/file/data', code: 'base64' }]),
  }),
  given({
    op: add,
    title: 'a file of more than 10 MB is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, file: encoded(Buffer.alloc(10 * 2 ** 20 + 1)) }),
    refusal: 'payload_too_large',
  }),
  given({
    op: add,
    title: 'more than is said of a photo is refused',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, file, promt: 'x' }),
    refusal: 'invalid_input',
    error: ({ errors }) => expect(errors).toMatchObject([{ suggestion: 'prompt' }]),
  }),
  given({
    op: add,
    title: 'the 51st photo is refused',
    as: 'owner',
    given: (stage) =>
      agent(stage, 'ada', {
        appearance: { photos: Array.from({ length: 50 }, (_, i) => `${foreign}?${i}`) },
      }),
    input: (char_id) => ({ char_id, file }),
    refusal: 'photo_limit_reached',
  }),
  staleRevision(add, async (stage) => ({ char_id: await agent(stage) }), { file }),
]

const choosing: Case[] = [
  ...needsKey(setAsProfile, { char_id: 'ada', index: 0 }),
  ...agentRefusals(setAsProfile, (char_id) => ({ char_id, index: 0 })),
  given({
    op: setAsProfile,
    title: 'a photo becomes the avatar',
    as: 'owner',
    given: photographed,
    input: (facts) => ({ ...facts, index: 1 }),
    answer: ({ appearance }) => expect(appearance.avatar_url).toBe(appearance.photos[1]),
  }),
  given({
    op: setAsProfile,
    title: 'a photo elsewhere becomes the avatar too',
    as: 'owner',
    given: linked,
    input: (char_id) => ({ char_id, index: 1 }),
    answer: ({ appearance }) => {
      expect(appearance.avatar_url).toBe(`${foreign}?2`)
      expect(appearance.photo_meta).toHaveLength(2)
    },
  }),
  ...[2, 1_000_000].map((index) =>
    given({
      op: setAsProfile,
      title: `photo ${index} of two is not found`,
      as: 'owner',
      given: photographed,
      input: (facts) => ({ ...facts, index }),
      refusal: 'photo_not_found',
    }),
  ),
  given({
    op: setAsProfile,
    title: 'an agent without an appearance has no photo',
    as: 'owner',
    given: (stage) => agent(stage),
    input: (char_id) => ({ char_id, index: 0 }),
    refusal: 'photo_not_found',
  }),
  ...[-1, 'first', 0.5].map((index) =>
    given({
      op: setAsProfile,
      title: `${index} is no position`,
      as: 'owner',
      given: photographed,
      input: (facts) => ({ ...facts, index }),
      refusal: 'invalid_input',
    }),
  ),
  staleRevision(setAsProfile, photographed, { index: 0 }),
]

const removing: Case[] = [
  ...needsKey(remove, { char_id: 'ada', index: 0 }),
  ...agentRefusals(remove, (char_id) => ({ char_id, index: 0 })),
  given({
    op: remove,
    title: 'a photo goes with its description and its bytes, and is the avatar no more',
    as: 'scoped',
    given: async (stage) => {
      const facts = await photographed(stage)
      const before = await stage.ask(setAsProfile, { ...facts, index: 0 })
      await stage.scopeTo(facts.char_id)
      return { ...facts, before }
    },
    input: ({ char_id }) => ({ char_id, index: 0 }),
    answer: async ({ appearance }, { char_id, before }, stage) => {
      expect(appearance.photos).toEqual([before.appearance.photos[1]])
      expect(appearance.photo_meta).toEqual([before.appearance.photo_meta[1]])
      expect(appearance.avatar_url).toBeNull()
      expect(await mediaOf(stage, char_id)).toEqual(idsIn(appearance.photos))
      const [gone = ''] = idsIn(before.appearance.photos)
      expect(await stage.world.ports.files.read(gone)).toBeUndefined()
    },
  }),
  given({
    op: remove,
    title: 'a photo elsewhere is taken out of the list',
    as: 'owner',
    given: linked,
    input: (char_id) => ({ char_id, index: 1 }),
    answer: ({ appearance }) => {
      expect(appearance.photos).toEqual([foreign])
      expect(appearance.photo_meta).toMatchObject([{ url: foreign, prompt: 'Mine' }])
      expect(appearance.avatar_url).toBe(foreign)
    },
  }),
  given({
    op: remove,
    title: "the address of another agent's photo goes, and the photo stays",
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await photographed(stage)
      const { appearance } = await stage.ask('characters.get', { char_id })
      const thief = await agent(stage, 'eve', { appearance: { photos: appearance.photos } })
      return { char_id, thief }
    },
    input: ({ thief }) => ({ char_id: thief, index: 0 }),
    answer: async ({ appearance }, { char_id }, stage) => {
      expect(appearance.photos).toHaveLength(1)
      expect(await mediaOf(stage, char_id)).toHaveLength(2)
    },
  }),
  given({
    op: remove,
    title: 'a photo that is not there is not found',
    as: 'owner',
    given: photographed,
    input: (facts) => ({ ...facts, index: 2 }),
    refusal: 'photo_not_found',
  }),
  staleRevision(remove, photographed, { index: 0 }),
  given({
    op: 'characters.revisions.restore',
    title: 'a photo that was removed since does not come back',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await photographed(stage)
      await stage.ask(setAsProfile, { char_id, index: 0 })
      const { appearance, revision } = await stage.ask(remove, { char_id, index: 0 })
      return { char_id, revision, left: appearance.photos }
    },
    input: ({ char_id, revision }) => ({ char_id, revision: Number(revision) - 1 }),
    answer: ({ appearance, warnings }, { left }) => {
      expect(appearance).toMatchObject({ photos: left, avatar_url: null })
      expect(appearance.photo_meta).toHaveLength(1)
      expect(warnings).toMatchObject([{ code: 'photo_lost' }])
    },
  }),
  given({
    op: 'characters.revisions.restore',
    title: 'a photo that was only taken out of the list comes back',
    as: 'owner',
    given: async (stage) => {
      const { char_id } = await photographed(stage)
      const { appearance } = await stage.ask('characters.get', { char_id })
      const changed = await stage.ask('characters.update', {
        char_id,
        character: { appearance: { photos: [], photo_meta: [] } },
      })
      return { char_id, revision: changed.revision, was: appearance }
    },
    input: ({ char_id, revision }) => ({ char_id, revision: Number(revision) - 1 }),
    answer: ({ appearance, warnings }, { was }) => {
      expect(appearance).toEqual(was)
      expect(warnings).toBeUndefined()
    },
  }),
  given({
    op: 'characters.delete',
    title: 'photos go with their agent',
    as: 'owner',
    given: photographed,
    input: (facts) => facts,
    answer: async (_, { char_id }, stage) => {
      expect(await mediaOf(stage, char_id)).toEqual([])
    },
  }),
]

/** Every case of the photos of agents. */
export const photos: readonly Case[] = [...adding, ...choosing, ...removing]
