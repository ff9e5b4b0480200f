import { Suspense, type ComponentType, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import type { FileRef } from '#shared/files.ts'
import { sendFile } from '#web/files/uploads.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import classes from '#web/richtext/text.module.css'

export interface Mentioned {
  id: number
  name: string
}

/** A picture to insert into a text; an empty `alt` marks decoration. */
export interface InsertedPicture {
  file: FileRef
  alt: string
}

export interface PictureDialogProps {
  /** Dropped or pasted files; none if the toolbar opened the dialog. */
  files: readonly File[]
  onInsert: (picture: InsertedPicture) => void
  onClose: () => void
}

/** A link to insert into a text: around the selection, or with its own text. */
export interface ChosenLink {
  href: string
  text: string
}

export interface LinkDialogProps {
  onChoose: (link: ChosenLink) => void
  onClose: () => void
}

/** Pages that links can be chosen from, by name. */
export interface LinkTargets {
  /** Label of the button: `Link to a post`. */
  label: string
  Dialog: ComponentType<LinkDialogProps>
}

export interface RichTextFieldProps {
  label: string
  /** HTML as saved, without addresses of pictures. */
  value?: string
  onChange: (html: string) => void
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Stores a picture and returns it; by default in the panel's own files. Null for a text without pictures. */
  sendPicture?: ((file: File) => Promise<FileRef>) | null
  /** Asks what a picture shows before it is inserted, and offers others; without it, pictures are inserted directly. */
  PictureDialog?: ComponentType<PictureDialogProps>
  /** Link targets to choose from, in addition to a typed URL; none by default. */
  links?: LinkTargets | undefined
  /** Finds staff whose names start with a text, for @; without it there are no mentions. */
  findStaff?: (query: string) => Promise<readonly Mentioned[]>
  /** Path in the form, from getInputProps: tells the form that errors are shown here. */
  'data-path'?: string
}

const Editor = lazyPart(() => import('#web/richtext/RichTextEditor.tsx'), 'RichTextEditor')

/** Field for formatted text. The editor loads only when the field is rendered. */
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
          <div className={classes.editor} role="status">
            Loading editor…
          </div>
        }
      >
        <Editor label={label} value={value} sendPicture={sendPicture} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
