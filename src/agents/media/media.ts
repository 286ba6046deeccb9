/** A picture of an agent, served to anyone with its address. Its id is also the name of its file. */
export interface Media {
  /** `med_…` */
  id: string
  char_id: string
  owner_id: string
  /** Of the file. */
  bytes: number
  media_type: string
  /** Pixels. */
  width: number
  height: number
  /** Of the file, in hex. */
  sha256: string
  created_at: string
}

const idPattern = 'med_[0-9a-f]{32}'
const path = new RegExp(`^/media/(${idPattern})\\.webp$`)

/** The picture that a path of this service names. */
export function mediaIdOfPath(text: string): string | undefined {
  return path.exec(text)?.[1]
}

/** Where a picture is served. */
export function mediaUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/media/${id}.webp`
}

/**
 * The id of our picture that an address may name, under any address that this service had before.
 * Only the store knows whether the picture exists, and whose it is.
 */
export function mediaIdIn(url: string): string | undefined {
  return mediaIdOfPath(url.slice(Math.max(0, url.lastIndexOf('/media/'))))
}

/** Whether the address belongs to this service, so that no other host can have the picture. */
export function isOfThisService(url: string, publicUrl: string): boolean {
  return mediaIdIn(url) !== undefined && url.startsWith(`${publicUrl}/media/`)
}
