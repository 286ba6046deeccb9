import * as z from 'zod'
import type { Appearance, Personality } from '../appearance.ts'
import { shownAddress } from './address.ts'

const text = z.string().nullable()
const texts = z.array(z.string())

export const PublicPersonality = z
  .object({
    traits: texts,
    communication_style: text,
    humor: text,
    energy: text,
    temperament: text,
  })
  .meta({ id: 'PublicPersonality' })
/** How an agent comes across, without unknown members. */
export type PublicPersonality = z.infer<typeof PublicPersonality>

export const PublicAppearance = z
  .object({
    age_range: text,
    gender: text,
    ethnicity: text,
    build: text,
    hair: text,
    facial_hair: text,
    eyes: text,
    style: text,
    avatar_url: text,
    accessories: texts,
    photos: texts,
  })
  .meta({ id: 'PublicAppearance' })
/** How an agent looks, without what its pictures were made with. */
export type PublicAppearance = z.infer<typeof PublicAppearance>

/** The members that are known, and no others. */
export function personalityShown({
  traits,
  communication_style,
  humor,
  energy,
  temperament,
}: Personality): PublicPersonality {
  return { traits, communication_style, humor, energy, temperament }
}

/** The members that are known, and no others: seeds and prompts are its owner's. */
export function appearanceShown(appearance: Appearance): PublicAppearance {
  const { age_range, gender, ethnicity, build, hair, facial_hair, eyes, style } = appearance
  const { avatar_url, accessories, photos } = appearance
  return {
    age_range,
    gender,
    ethnicity,
    build,
    hair,
    facial_hair,
    eyes,
    style,
    avatar_url: shownAddress(avatar_url),
    accessories,
    photos: photos.filter((url) => shownAddress(url) !== null),
  }
}
