const json = /^application\/(?:json|[\w.!#$&^+-]{1,100}\+json)$/

/** Whether a `Content-Type` says that the body is JSON, in any spelling or with any parameters. */
export function isJsonType(contentType = ''): boolean {
  const [type = ''] = contentType.toLowerCase().split(';')
  return json.test(type.trim())
}
