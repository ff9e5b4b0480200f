import { Suspense, useRef, type ReactNode } from 'react'
import IconPaperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs'
import { acceptOf } from '#shared/file-kinds.ts'
import { largestFile, mostFiles } from '#shared/files.ts'
import classes from '#web/composer/composer.module.css'
import { FileList } from '#web/files/FileList.tsx'
import { useUploads } from '#web/files/useUploads.ts'
import type { NestedReports } from '#web/form/inner.ts'
import { IconButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

/** Needed only once a file is attached. */
const UploadRow = lazyPart(() => import('#web/files/UploadRow.tsx'), 'UploadRow')

export interface Attachments {
  /** Uploads files, and adds them to the value. */
  add: (files: readonly File[]) => void
  /** Button for choosing files. */
  button: ReactNode
  /** The files, with their uploads. */
  list: ReactNode
}

/** Returns the attachments of a composer's form, `form.inner.tell`; their value is the IDs of the files. */
export function useAttachments(
  form: NestedReports,
  value: readonly number[],
  onChange: (ids: number[]) => void,
): Attachments {
  const rules = { value, onChange, most: mostFiles, maxBytes: largestFile, kinds: undefined }
  const { refs, items, uploads } = useUploads(rules, form)
  const input = useRef<HTMLInputElement>(null)
  const room = mostFiles - value.length
  const add = (files: readonly File[]) => {
    if (files.length > 0) uploads.add(files, room)
  }
  return {
    add,
    button: (
      <>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label="Attachments"
          accept={acceptOf(undefined)}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])])
            // Reset, so that choosing the same file again fires another change event.
            currentTarget.value = ''
          }}
        />
        <IconButton bare label="Attach files" disabled={room <= 0} onClick={() => input.current?.click()}>
          <IconPaperclip size={16} stroke={1.5} aria-hidden />
        </IconButton>
      </>
    ),
    list: (
      <div className={classes.files}>
        <FileList
          files={refs}
          label="Attachments"
          onRemove={(file) => onChange(value.filter((id) => id !== file.id))}
        >
          {items.length > 0 && (
            <Suspense>
              {items.map((item) => (
                <UploadRow key={item.key} item={item} uploads={uploads} />
              ))}
            </Suspense>
          )}
        </FileList>
      </div>
    ),
  }
}
