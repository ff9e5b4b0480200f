import { changedHeader } from '#shared/changed.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import { acceptOf, extensionOf, extensionsOf, type FileKind } from '#shared/file-kinds.ts'
import { files, largestFile, type FileRef } from '#shared/files.ts'
import { headersOf, noteChanges } from '#web/api/client.ts'
import { ApiError, errorOf, noAnswer, errorMessageOf } from '#web/api/errors.ts'
import { reauthenticate } from '#web/api/session-lost.ts'

export interface Upload {
  key: string
  file: File
  state: 'waiting' | 'sending' | 'failed'
  /** Of one. */
  progress: number
  error: string | undefined
  /** Whether retrying may help. */
  again: boolean
}

/** Where files are uploaded, and how to read the response. */
export interface Target extends Pick<EndpointShape, 'access'> {
  /** Without `/api`, with its parameters filled in. */
  path: string
  field: string
  read: (reply: any) => FileRef
}

const stage: Target = {
  access: files.stage.access,
  path: files.stage.path,
  field: 'file',
  read: ({ data }: { data: FileRef }) => data,
}

interface Rules {
  /** By default, files are staged for the form that will refer to them. */
  target?: Target
  maxBytes: number
  kinds: readonly FileKind[] | undefined
  onSent?: (ref: FileRef) => void
}

/** Delays before each automatic retry after a lost connection. */
const waitsMs = [1000, 3000, 9000]

/**
 * Uploads files one at a time, each in a separate request. After a lost connection, it resumes with the file
 * that was not acknowledged, using the same idempotency key, so that no file is stored twice.
 */
export class Uploads {
  #items: readonly Upload[] = []
  readonly #listeners = new Set<() => void>()
  readonly #rules: () => Rules
  #abort: { key: string; now: () => void } | undefined
  #running = false

  constructor(rules: () => Rules) {
    this.#rules = rules
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly items = (): readonly Upload[] => this.#items

  /**
   * Adds files; files that the server would reject are not sent. `room` is how many more files are allowed.
   */
  add(chosen: readonly File[], room: number): void {
    const { maxBytes, kinds } = this.#rules()
    let left = room - this.#items.filter(({ state }) => state !== 'failed').length
    const added = chosen.map((file): Upload => {
      const ending = extensionOf(file.name)
      const error =
        left <= 0
          ? 'You’ve reached the file limit. Remove a file to add another.'
          : !ending || !extensionsOf(kinds).includes(ending)
            ? `This file type isn’t supported. Supported types: ${acceptOf(kinds).replaceAll(',', ' ')}.`
            : file.size > maxBytes
              ? `This file is larger than ${maxBytes / 1_000_000} MB.`
              : file.size === 0
                ? 'This file is empty.'
                : undefined
      if (!error) left -= 1
      return {
        key: crypto.randomUUID(),
        file,
        state: error ? 'failed' : 'waiting',
        progress: 0,
        error,
        again: false,
      }
    })
    this.#show([...this.#items, ...added])
    void this.#run()
  }

  /** Cancels an upload, or dismisses a failed one. */
  cancel(key: string): void {
    this.#show(this.#items.filter((one) => one.key !== key))
    if (this.#abort?.key === key) this.#abort.now()
  }

  dismissFailed(): void {
    this.#show(this.#items.filter(({ state }) => state !== 'failed'))
  }

  retry(key: string): void {
    this.#change(key, { state: 'waiting', error: undefined, progress: 0 })
    void this.#run()
  }

  /** Stops the upload in flight when the field is unmounted. */
  stop(): void {
    this.#items = []
    this.#abort?.now()
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    try {
      for (let next = this.#next(); next; next = this.#next()) await this.#sendOne(next)
    } finally {
      this.#running = false
    }
  }

  #next(): Upload | undefined {
    return this.#items.find(({ state }) => state === 'waiting')
  }

  async #sendOne({ key, file }: Upload): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if (!this.#items.some((one) => one.key === key)) return
      this.#change(key, { state: 'sending', progress: 0 })
      try {
        const ref = await this.#post(key, file)
        const isWanted = this.#items.some((one) => one.key === key)
        this.#show(this.#items.filter((one) => one.key !== key))
        if (isWanted) this.#rules().onSent?.(ref)
        return
      } catch (error) {
        const status = error instanceof ApiError ? error.status : undefined
        if (status === 401 && tries < waitsMs.length && (await reauthenticate())) continue
        const wait = status === 0 || status === 503 ? waitsMs[tries] : undefined
        if (wait === undefined)
          return this.#change(key, { state: 'failed', error: errorMessageOf(error), again: status !== 422 })
        await new Promise((done) => setTimeout(done, wait))
      }
    }
  }

  #post(key: string, file: File): Promise<FileRef> {
    const request = new XMLHttpRequest()
    const { target = stage } = this.#rules()
    return new Promise((done, fail) => {
      this.#abort = { key, now: () => request.abort() }
      request.open('POST', `/api${target.path}`)
      for (const [name, value] of headersOf(target, {}, key)) request.setRequestHeader(name, value)
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        this.#change(key, { progress: total ? loaded / total : 0 }),
      )
      request.addEventListener('error', () => fail(noAnswer()))
      request.addEventListener('abort', () => fail(noAnswer()))
      request.addEventListener('load', () => {
        const answer = new Response(request.responseText, { status: request.status })
        noteChanges(request.getResponseHeader(changedHeader))
        if (answer.ok) done(target.read(JSON.parse(request.responseText)))
        else void errorOf(answer).then(fail)
      })
      const form = new FormData()
      form.append(target.field, file, file.name)
      request.send(form)
    })
  }

  #change(key: string, change: Partial<Upload>): void {
    this.#show(this.#items.map((one) => (one.key === key ? { ...one, ...change } : one)))
  }

  #show(items: readonly Upload[]): void {
    this.#items = items
    for (const listener of this.#listeners) listener()
  }
}

/**
 * Uploads one image for rich text. Without a target, the image is staged for the form that refers to it.
 * @throws ApiError
 */
export function sendFile(file: File, target?: Target): Promise<FileRef> {
  return new Promise((done, fail) => {
    const uploads: Uploads = new Uploads(() => ({
      maxBytes: largestFile,
      kinds: ['image'],
      onSent: done,
      ...(target ? { target } : {}),
    }))
    uploads.subscribe(() => {
      const failed = uploads.items().find(({ state }) => state === 'failed')
      if (failed)
        fail(new ApiError(422, { message: failed.error ?? 'This file couldn’t be uploaded. Try again.' }))
    })
    uploads.add([file], 1)
  })
}
