import { open, rm } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import {
  extensionsOf,
  extensionOf,
  fileTypes,
  type FileExtension,
  type FileKind,
} from '#shared/file-kinds.ts'
import { asFullDisk, type Files, type TemporaryFile } from '#server/files/files.ts'
import { writeHeicAsJpeg } from '#server/files/heic.ts'
import { processAvif, processImage, SlowImage } from '#server/files/image-queue.ts'
import { removeIfInfected } from '#server/files/scanner.ts'

/** A file of an `unchecked` field, under a temporary name. */
export interface UncheckedFile extends TemporaryFile {
  /** Name given by the sender; treated as data, never as a path. */
  name: string
}

/** An inspected file, under a temporary name. Its content matches its name, unless it can only be downloaded (`inspectAnyFile`). */
export interface ReceivedFile extends UncheckedFile {
  ending: FileExtension | typeof downloadExtension
  kind: FileKind
  mime: string
  width: number | null
  height: number | null
  /** Small version of an image, also under a temporary name. */
  small: string | null
  /** Version scaled to the maximum width shown in rich text, if the image is wider than that. */
  wide: string | null
  /** The file as it was sent, if the image was converted. */
  original: string | null
}

/** Extension under which a file of a type that isn't supported is stored, so that nothing on the way interprets it. */
const downloadExtension = 'bin'

/** Reason why a file was rejected, shown to its sender. */
export class BadFile extends Error {
  override name = 'BadFile'
}

// No image is read twice, so libvips' cache is useless.
sharp.cache(false)

const mostPixels = 25_000_000
const smallEdge = 320
/** Twice the width of rich text, for screens with two pixels per point. */
export const widest = 1600
const pictureSeconds = 20

/**
 * Removes folders, control characters, invisible characters, characters that change the reading direction,
 * and lone surrogates from a file name.
 */
export function safeName(name: string | undefined): string {
  const plain = (name ?? '')
    .toWellFormed()
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .trim()
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? ''
  const stem = plain.slice(0, Math.min(plain.length - ending.length, 150)).replace(/[\ud800-\udbff]$/, '')
  return stem + ending || 'file'
}

/**
 * Returns a file name's extension.
 * @throws BadFile if the field does not accept it.
 */
export function acceptedExtension(name: string, kinds: readonly FileKind[] | undefined): FileExtension {
  const ending = extensionOf(name)
  const taken = extensionsOf(kinds)
  if (!ending || !taken.includes(ending))
    throw new BadFile(`${name}: this file type isn’t supported. Supported types: ${taken.join(', ')}.`)
  return ending
}

/** Types that `file-type` reports with a different extension from ours. */
const sameAs: Partial<Record<string, FileExtension>> = { m4v: 'mp4' }

const noPicture = { width: null, height: null, small: null, wide: null, original: null }

/**
 * Inspects a file that its sender can't be expected to send a second time, such as one of a customer's email. If
 * its type isn't supported, or its content doesn't match its name, it is kept unchanged and can only be downloaded.
 */
export async function inspectAnyFile(
  files: Files,
  received: TemporaryFile,
  name: string,
): Promise<ReceivedFile> {
  await demandClean(files, received, name)
  const ending = extensionOf(name)
  try {
    if (ending) return await inspectClean(files, received, name, ending)
  } catch (error) {
    if (!(error instanceof BadFile)) throw error
  }
  return {
    ...received,
    ...noPicture,
    name,
    ending: downloadExtension,
    kind: 'other',
    mime: 'application/octet-stream',
  }
}

/**
 * Returns a photo of a phone as JPEG, with what was sent.
 * @throws BadFile if it can't be read.
 */
async function inspectHeic(files: Files, received: TemporaryFile, name: string): Promise<ReceivedFile> {
  const jpeg = await files.temporaryPath()
  try {
    if (!(await writeHeicAsJpeg(received.path, jpeg, mostPixels)))
      throw new BadFile(`${name}: this photo can’t be read. Save it as JPG.`)
    const shown = {
      ...(await storeDurably(files, jpeg)),
      ...noPicture,
      name: name.replace(/\.hei[cf]$/i, '.jpg'),
      ending: 'jpg',
      ...fileTypes.jpg,
    } as const
    return { ...(await processImage(() => rewritePicture(files, shown))), original: received.path }
  } finally {
    await rm(jpeg, { force: true })
  }
}

/** @throws BadFile if the virus scanner, if there is one, finds a virus; the file is then removed. */
async function demandClean(files: Files, { path }: TemporaryFile, name: string): Promise<void> {
  const virus = await removeIfInfected(files.scanner, path)
  if (virus !== undefined) throw new BadFile(`${name}: this file has a virus (${virus}).`)
}

/**
 * Checks a file's content and re-encodes images, which removes EXIF data, location, and anything else in the
 * original bytes.
 * @throws BadFile if the content has a virus, does not match the name, or cannot be read.
 */
export async function inspectFile(
  files: Files,
  received: TemporaryFile,
  name: string,
  ending: FileExtension,
): Promise<ReceivedFile> {
  await demandClean(files, received, name)
  return inspectClean(files, received, name, ending)
}

async function inspectClean(
  files: Files,
  received: TemporaryFile,
  name: string,
  ending: FileExtension,
): Promise<ReceivedFile> {
  const { kind, mime } = fileTypes[ending]
  if (!(await isOfType(received.path, ending)))
    throw new BadFile(`${name}: the content doesn’t match the file extension (${ending}).`)
  const file = { ...received, ...noPicture, name, ending, kind, mime }
  if (kind !== 'image') return file
  if (ending === 'heic') return inspectHeic(files, received, name)
  if (ending !== 'avif') return processImage(() => rewritePicture(files, file))
  return processAvif((isLate) => rewritePicture(files, file, isLate)).catch((error: unknown) => {
    if (!(error instanceof SlowImage)) throw error
    throw new BadFile(`${name}: this image takes too long to process. Save it as JPG or make it smaller.`)
  })
}

/** Returns whether the content of a file fits its extension. */
async function isOfType(path: string, ending: FileExtension): Promise<boolean> {
  // Office documents and programs are archives too, under other names.
  if (ending === 'zip') {
    const beginning = await beginningOf(path)
    return beginning.startsWith('PK\x03\x04') || beginning.startsWith('PK\x05\x06')
  }
  // The decoder checks it.
  if (ending === 'heic') return true
  const found = await fileTypeFromFile(path).catch(() => undefined)
  if (ending === 'eml') return found === undefined && looksLikeEmail(await beginningOf(path))
  if (ending === 'csv' || ending === 'txt')
    return found === undefined && looksLikeText(await beginningOf(path))
  return found !== undefined && (sameAs[found.ext] ?? found.ext) === ending
}

/** Returns the beginning of a file, a character per byte. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Returns whether a text contains no NUL and does not start like something that a browser would treat as a
 * web page.
 */
const looksLikeText = (beginning: string): boolean =>
  !beginning.includes('\0') &&
  !/^(\ufeff|ï»¿)?\s*<(!doctype|!--|\?xml|html|head|body|svg|script|iframe|math)\b/i.test(
    beginning.slice(0, 1000),
  )

/** Returns whether a text starts with the header of an email. */
const looksLikeEmail = (beginning: string): boolean =>
  looksLikeText(beginning) &&
  /^(?:ï»¿)?\s*(?:From |[\w-]+:)/.test(beginning) &&
  /^(?:ï»¿)?(?:from|to|subject|date|received|message-id|mime-version):/im.test(beginning)

/** sharp's names for the supported formats. */
const formats: Partial<Record<ReceivedFile['ending'], string>> = {
  png: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
}

async function rewritePicture(files: Files, file: ReceivedFile, isLate = () => false): Promise<ReceivedFile> {
  const [whole, small, wide] = [
    await files.temporaryPath(),
    await files.temporaryPath(),
    await files.temporaryPath(),
  ]
  const read = (animated: boolean) =>
    sharp(file.path, { limitInputPixels: mostPixels, failOn: 'error', animated }).timeout({
      seconds: pictureSeconds,
    })
  try {
    const {
      format,
      width,
      height,
      pages = 1,
      pageHeight,
    } = await sharp(file.path, { limitInputPixels: false, animated: true }).metadata()
    if (format !== formats[file.ending])
      throw new BadFile(`${file.name}: the content doesn’t match the file extension (${file.ending}).`)
    if (width * (pageHeight ?? height) * pages > mostPixels)
      throw new BadFile(`${file.name}: this image is larger than 25 megapixels.`)
    const { width: newWidth, height: newHeight } = await encoded(
      read(pages > 1).autoOrient(),
      file.ending,
    ).toFile(whole)
    await sharp(whole, { limitInputPixels: mostPixels })
      .timeout({ seconds: pictureSeconds })
      .resize({ width: smallEdge, height: smallEdge, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toFile(small)
    // Animated images are shown unchanged.
    const isWide = pages === 1 && newWidth > widest
    if (isWide) await writeWide(whole, wide)
    if (isLate()) throw new SlowImage()
    const [kept, keptSmall] = [await storeDurably(files, whole), await storeDurably(files, small)]
    const keptWide = isWide ? await storeDurably(files, wide) : undefined
    await Promise.all([file.path, whole, small, wide].map((path) => rm(path, { force: true })))
    return {
      ...file,
      ...kept,
      width: newWidth,
      height: pages > 1 && pageHeight ? pageHeight : newHeight,
      small: keptSmall.path,
      wide: keptWide?.path ?? null,
    }
  } catch (error) {
    await Promise.all([whole, small, wide].map((path) => rm(path, { force: true })))
    const known = asFullDisk(error)
    if (error instanceof BadFile || error instanceof SlowImage || known !== error) throw known
    throw new BadFile(`${file.name}: this image can’t be read.`, { cause: error })
  }
}

const writeWide = (path: string, to: string) =>
  sharp(path, { limitInputPixels: mostPixels })
    .timeout({ seconds: pictureSeconds })
    .resize({ width: widest })
    .webp({ quality: 82 })
    .toFile(to)

/**
 * Creates the missing wide version of a stored image, under a temporary name; returns undefined if the image
 * is not wider than the maximum, is animated, or cannot be read.
 */
export async function widePictureOf(files: Files, path: string): Promise<TemporaryFile | undefined> {
  const wide = await files.temporaryPath()
  try {
    const { width, pages = 1 } = await sharp(path, {
      limitInputPixels: mostPixels,
      animated: true,
    }).metadata()
    if (pages > 1 || width <= widest) return undefined
    await writeWide(path, wide)
    return await storeDurably(files, wide)
  } catch {
    return undefined
  } finally {
    await rm(wide, { force: true })
  }
}

const squareSide = 256

/** Returns a received image, which has been re-encoded already, as a WebP square of 256 pixels. */
export const squareOf = ({ path }: ReceivedFile): Promise<Buffer> =>
  processImage(() =>
    sharp(path, { limitInputPixels: mostPixels })
      .timeout({ seconds: pictureSeconds })
      .resize(squareSide, squareSide, { fit: 'cover' })
      .webp({ quality: 85 })
      .toBuffer(),
  )

/** Copies a file using our own writer, which counts and syncs the bytes; libvips does neither. */
async function storeDurably(files: Files, path: string): Promise<TemporaryFile> {
  const file = await open(path)
  return files.receive(file.createReadStream() as AsyncIterable<Buffer>)
}

function encoded(picture: Sharp, ending: ReceivedFile['ending']): Sharp {
  if (ending === 'png') return picture.png()
  if (ending === 'webp') return picture.webp({ quality: 85 })
  if (ending === 'gif') return picture.gif()
  if (ending === 'avif') return picture.avif({ quality: 60, effort: 0 })
  return picture.jpeg({ quality: 85 })
}
