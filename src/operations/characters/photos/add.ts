import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { Character } from '#src/agents/character.ts'
import { textUpTo } from '#src/core/schema-parts.ts'
import { operation } from '#src/core/operation.ts'
import { mustBe } from '#src/core/revision.ts'
import { Warning } from '#src/core/schema.ts'
import { timestamp } from '#src/core/time.ts'
import { encodedFileBytesAtMost, File } from '#src/core/input/upload.ts'
import { changedAppearance } from '#src/agents/media/change-appearance.ts'
import { abandoned, keptPicture } from '#src/agents/media/store-picture.ts'
import { checkRoom, withPhoto } from '#src/agents/media/photos.ts'

const origin = textUpTo(200).default('')

export const add = operation({
  name: 'characters.photos.add',
  summary: 'Add a photo to an agent, served publicly at its own address.',
  description:
    'JPEG, PNG, WebP or GIF up to 10 MB, 25 megapixels and 16,384 pixels a side, kept as WebP ' +
    'without metadata. The other members say where it came from.',
  example: {
    char_id: 'ada',
    file: {
      filename: 'ada.png',
      media_type: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mMwKFgAAAIUAUECpIPIAAAAAElFTkSuQmCC',
    },
    prompt: 'An archivist at her desk',
  },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/photos' },
  toolsets: ['agents'],
  input: z.strictObject({
    char_id: z.string().max(128),
    file: File,
    prompt: textUpTo(1000).default(''),
    model: origin,
    provider: origin,
    source: origin,
    seed: z.int().nullable().default(null),
  }),
  files: { member: 'file', most: 1 },
  bodyBytes: encodedFileBytesAtMost,
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'photo_limit_reached',
    'revision_mismatch',
    'write_conflict',
  ],

  async run({ char_id, file, ...said }, context) {
    // Checked first: a refused photo is not worth decoding.
    const agent = await ownCharacter(context, char_id)
    mustBe(agent.revision, context.expected)
    checkRoom(agent.appearance)
    const owner = { charId: char_id, ownerId: context.caller.accountId }
    const kept = await keptPicture(context, file.taken(), owner)
    const created_at = timestamp(context.clock.now())
    try {
      return await changedAppearance(context, char_id, ({ appearance }) => ({
        appearance: withPhoto(appearance, { url: kept.url, ...said, created_at }),
        writes: [kept.write],
        bytes: kept.bytes,
      }))
    } catch (cause) {
      await abandoned(context, [kept], cause)
      throw cause
    }
  },
})
