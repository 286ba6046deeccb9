import type { Read } from './values.ts'

/** The documentation of a setting. */
export interface SettingText {
  /** As one would write the default; in words if it has no written form. */
  default: string
  unit: string
  meaning: string
}

export interface Setting<T> extends SettingText {
  read: Read<T>
  /** Used if the setting is absent. */
  fallback: T
  /** Its value is never shown. */
  isSecret: boolean
}

type About = SettingText & { isSecret?: true }

/** A setting whose default is written like any value of it. */
export function always<T>(read: Read<T>, about: About): Setting<T> {
  return { isSecret: false, ...about, read, fallback: read(about.default) }
}

/** A setting that may be absent. */
export function maybe<T>(read: Read<T>, about: About): Setting<T | undefined> {
  return { isSecret: false, ...about, read, fallback: undefined }
}

/** A list that is empty where the setting is absent. */
export function some<T>(list: Read<T[]>, about: About): Setting<T[]> {
  return { isSecret: false, ...about, read: list, fallback: [] }
}
