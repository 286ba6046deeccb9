import * as z from 'zod'
import {
  optionalInteger,
  optionalText,
  texts,
  textsAtMost,
  textUpTo,
} from '#src/core/schema-parts.ts'

export const Personality = z
  .looseObject({
    traits: texts,
    communication_style: optionalText,
    humor: optionalText,
    energy: optionalText,
    temperament: optionalText,
  })
  .meta({ id: 'PersonalitySchema' })
/** How an agent comes across. */
export type Personality = z.infer<typeof Personality>

const blank = z.string().nullable().default('')

export const PhotoMeta = z
  .looseObject({
    url: z.string(),
    prompt: textUpTo(1000).nullable().default(''),
    model: blank,
    provider: blank,
    source: blank,
    seed: optionalInteger,
    created_at: optionalText,
  })
  .meta({ id: 'PhotoMetaSchema' })
/** Where a photo came from; has the same position as its photo. */
export type PhotoMeta = z.infer<typeof PhotoMeta>

export const Appearance = z
  .looseObject({
    seed: optionalInteger,
    age_range: optionalText,
    gender: optionalText,
    ethnicity: optionalText,
    build: optionalText,
    hair: optionalText,
    facial_hair: optionalText,
    eyes: optionalText,
    style: optionalText,
    avatar_url: optionalText,
    avatar_prompt: optionalText,
    accessories: texts,
    photos: texts,
    photo_meta: z.array(PhotoMeta).max(textsAtMost).default([]).describe('Parallel to photos'),
  })
  .meta({ id: 'AppearanceSchema' })
/** How an agent looks, with its photos. */
export type Appearance = z.infer<typeof Appearance>
