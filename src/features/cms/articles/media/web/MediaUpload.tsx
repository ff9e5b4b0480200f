import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { ActionIcon, Button, Progress } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { media } from '#features/cms/articles/media/contract.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { acceptOf } from '#shared/file-kinds.ts'
import { largestFile } from '#shared/files.ts'
import { keyOf } from '#web/api/client.ts'
import { Uploads } from '#web/files/uploads.ts'

/** Pictures of this computer, chosen, dropped or pasted; one after the other, each with its progress, and tried again after a broken line. */
export function MediaUpload({ product_id }: { product_id: number }) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const done = useEffectEvent(() => void queries.invalidateQueries({ queryKey: keyOf(media.list) }))
  const tell = useRef<() => void>(() => {})
  const [uploads] = useState(
    () =>
      new Uploads(() => ({
        maxBytes: largestFile,
        kinds: ['image'],
        onSent: () => tell.current(),
        target: {
          access: media.upload.access,
          path: media.upload.path.replace('{x}', String(product_id)),
          field: 'attachment[]',
          read: ({ images }: { images: { file: never }[] }) => images[0]!.file,
        },
      })),
  )
  useEffect(() => {
    tell.current = () => done()
    return () => uploads.stop()
  }, [uploads])
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  const add = (list: DataTransfer['files'] | null) => {
    if (list?.length) uploads.add([...list], Infinity)
  }
  return (
    <section aria-label="Upload">
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          add(event.dataTransfer.files)
        }}
        onPaste={(event) => add(event.clipboardData.files)}
      >
        <span className={classes.bar}>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            aria-label="Pictures"
            accept={acceptOf(['image'])}
            onChange={({ currentTarget }) => {
              add(currentTarget.files)
              currentTarget.value = ''
            }}
          />
          <Button size="xs" onClick={() => input.current?.click()}>
            Upload pictures
          </Button>
          <span className={classes.soft}>or drop or paste them here, {largestFile / 1_000_000} MB each</span>
        </span>
      </div>
      {items.length > 0 && (
        <ul className={classes.queue} aria-label="Uploads">
          {items.map((item) => (
            <li key={item.key}>
              <span className={classes.name}>
                {item.file.name}
                {item.error !== undefined && (
                  <span className={classes.error} role="alert">
                    {' '}
                    {item.error}
                  </span>
                )}
              </span>
              {item.error === undefined ? (
                <Progress size="xs" value={item.progress * 100} aria-label={`${item.file.name} is being sent`} />
              ) : item.again ? (
                <ActionIcon variant="subtle" aria-label={`Try ${item.file.name} again`} onClick={() => uploads.retry(item.key)}>
                  <IconRefresh size={16} stroke={1.5} />
                </ActionIcon>
              ) : (
                <span />
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={item.state === 'failed' ? `Dismiss ${item.file.name}` : `Cancel ${item.file.name}`}
                onClick={() => uploads.cancel(item.key)}
              >
                <IconX size={16} stroke={1.5} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
