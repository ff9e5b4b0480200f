import { Suspense, type ComponentType, type ReactNode, type RefObject } from 'react'
import { Input } from '@mantine/core'
import type { FileRef } from '#shared/files.ts'
import { sendFile } from '#web/files/uploads.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import classes from '#web/richtext/text.module.css'

export interface Mentioned {
  id: number
  name: string
}

/** An image to insert into rich text; an empty `alt` marks it as decorative. */
export interface InsertedPicture {
  file: FileRef
  alt: string
}

export interface PictureDialogProps {
  /** Dropped or pasted files; empty if the dialog was opened from the toolbar. */
  files: readonly File[]
  onInsert: (picture: InsertedPicture) => void
  onClose: () => void
}

/** A link to insert into rich text, either around the selection or with its own text. */
export interface ChosenLink {
  href: string
  text: string
}

export interface LinkDialogProps {
  onChoose: (link: ChosenLink) => void
  onClose: () => void
}

/** Pages that users can choose by name as link targets. */
export interface LinkTargets {
  /** Label of the button, such as `Link to a post`. */
  label: string
  Dialog: ComponentType<LinkDialogProps>
}

export interface RichTextFieldProps {
  label: string
  /** HTML as saved, without image URLs. */
  value?: string
  onChange: (html: string) => void
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /**
   * Stores an image and returns it; by default, it is stored with the panel's own files. Null if images are
   * not allowed.
   */
  sendPicture?: ((file: File) => Promise<FileRef>) | null
  /**
   * Dialog that asks what an image shows before it is inserted, and offers existing images; if omitted,
   * images are inserted directly.
   */
  PictureDialog?: ComponentType<PictureDialogProps>
  /** Link targets to choose from, as an alternative to typing a URL; none by default. */
  links?: LinkTargets | undefined
  /** Whether there are only the few buttons of a composer, below the text. */
  hasFewTools?: boolean
  /** Finds staff whose names start with a string, for @ mentions; if omitted, there are no mentions. */
  findStaff?: (query: string) => Promise<readonly Mentioned[]>
  /** Set to a function that inserts text at the cursor. */
  insertRef?: RefObject<((text: string) => void) | undefined>
  /** Path within the form, from getInputProps; tells the form that errors are shown here. */
  'data-path'?: string
}

const Editor = lazyPart(() => import('#web/richtext/RichTextEditor.tsx'), 'RichTextEditor')
const MentionEditor = lazyPart(() => import('#web/richtext/MentionEditor.tsx'), 'MentionEditor')

/** Field for rich text. The editor's code loads only when the field is rendered. */
export function RichTextField({
  label,
  description,
  error,
  required,
  value = '',
  sendPicture = sendFile,
  'data-path': path,
  ...rest
}: RichTextFieldProps) {
  const Field = rest.findStaff ? MentionEditor : Editor
  return (
    <Input.Wrapper
      data-path={path}
      label={label}
      description={description}
      error={error}
      required={required ?? false}
      size="xs"
    >
      <Suspense
        fallback={
          <div className={classes.loading} role="status">
            Loading editor…
          </div>
        }
      >
        <Field label={label} value={value} sendPicture={sendPicture} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
