import * as z from 'zod'
import { Character } from '#src/agents/character.ts'
import { operation } from '#src/core/operation.ts'
import { Warning } from '#src/core/schema.ts'
import { changedAppearance } from '#src/agents/media/change-appearance.ts'
import { photoPlace, withAvatar } from '#src/agents/media/photos.ts'

export const setAsProfile = operation({
  name: 'characters.photos.set_as_profile',
  summary: 'Make a photo of an agent its avatar.',
  example: { char_id: 'ada', index: 0 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/characters/{char_id}/photos/{index}/set-as-profile' },
  toolsets: ['agents'],
  repeatable: true,
  input: z.strictObject(photoPlace),
  output: Character.extend({ warnings: z.array(Warning).optional() }),
  refuses: [
    'character_not_found',
    'forbidden',
    'photo_not_found',
    'revision_mismatch',
    'write_conflict',
  ],

  run: ({ char_id, index }, context) =>
    changedAppearance(context, char_id, ({ appearance }) => ({
      appearance: withAvatar(appearance, index),
    })),
})
