import * as z from 'zod'
import { Character } from '#src/agents/character.ts'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'
import { changedAppearance } from '#src/agents/media/change-appearance.ts'
import { forgotten, mediaBytes } from '#src/agents/media/store-picture.ts'
import { mediaIdIn, type Media } from '#src/agents/media/media.ts'
import { mediaShown, photoPlace, withoutPhoto } from '#src/agents/media/photos.ts'

export const remove = operation({
  name: 'characters.photos.remove',
  summary: 'Remove a photo of an agent for good, also as its avatar.',
  description:
    'Later photos move up by one. Restoring a revision that named it does not bring it back.',
  example: { char_id: 'ada', index: 0 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'DELETE', path: '/api/characters/{char_id}/photos/{index}' },
  toolsets: ['agents'],
  // The next photo moves to the index of the removed one.
  repeatable: false,
  input: z.strictObject(photoPlace),
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'photo_not_found',
    'revision_mismatch',
    'write_conflict',
  ],
  destructive: true,

  async run({ char_id, index }, context) {
    let gone: Media | undefined
    const answer = await changedAppearance(context, char_id, async (kept) => {
      const { appearance, url } = withoutPhoto(kept.appearance, index)
      const id = mediaIdIn(url)
      const isShown = id !== undefined && mediaShown(appearance).has(id)
      const media = id === undefined || isShown ? undefined : await context.store.media.get(id)
      // The address may be that of a picture of another agent, which stays.
      gone = media?.char_id === char_id ? media : undefined
      if (!gone) return { appearance }
      return {
        appearance,
        writes: [{ in: 'media', delete: { id: gone.id } }],
        bytes: -mediaBytes([gone]),
      }
    })
    await forgotten(context, gone ? [gone.id] : [])
    return answer
  },
})
