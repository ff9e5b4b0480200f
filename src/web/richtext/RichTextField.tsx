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

/** A picture that is put into a text; an empty text is that of decoration. */
export interface InsertedPicture {
  file: FileRef
  alt: string
}

export interface PictureDialogProps {
  /** Those that were dropped or pasted; none where the toolbar asks. */
  files: readonly File[]
  onInsert: (picture: InsertedPicture) => void
  onClose: () => void
}

/** A link that is put into a text: around what is selected, or with words of its own. */
export interface ChosenLink {
  href: string
  text: string
}

export interface LinkDialogProps {
  onChoose: (link: ChosenLink) => void
  onClose: () => void
}

/** Pages that links are chosen from by name. */
export interface LinkTargets {
  /** Names the button: `Link to a post`. */
  label: string
  Dialog: ComponentType<LinkDialogProps>
}

export interface RichTextFieldProps {
  label: string
  /** HTML as it was saved, without addresses of pictures. */
  value?: string
  onChange: (html: string) => void
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  /** Stores a picture and answers it; absent: the panel's own files. Null: a text without pictures. */
  sendPicture?: ((file: File) => Promise<FileRef>) | null
  /** Asks what a picture shows before it is put in, and offers others; absent: pictures go straight into the text. */
  PictureDialog?: ComponentType<PictureDialogProps>
  /** What a link can be chosen from, beside an address that is typed; absent: nothing. */
  links?: LinkTargets | undefined
  /** The staff whose names begin so, for @; absent: no mentions. */
  findStaff?: (query: string) => Promise<readonly Mentioned[]>
}

const Editor = lazyPart(() => import('#web/richtext/RichTextEditor.tsx'), 'RichTextEditor')

/** Formatted text. The editor is loaded when the field is there, and by nothing else. */
export function RichTextField({ label, description, error, required, value = '', sendPicture = sendFile, ...rest }: RichTextFieldProps) {
  return (
    <Input.Wrapper label={label} description={description} error={error} required={required ?? false} size="xs">
      <Suspense
        fallback={
          <div className={classes.editor} role="status">
            The editor is loading…
          </div>
        }
      >
        <Editor label={label} value={value} sendPicture={sendPicture} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
