import { ActionIcon, Progress } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { extensionOf, fileTypes } from '#shared/file-kinds.ts'
import { FileIcon } from '#web/files/FileList.tsx'
import classes from '#web/files/files.module.css'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import type { Uploads } from '#web/files/uploads.ts'

/** A file that is being uploaded, with its progress or the reason why it failed. */
export function UploadRow({
  item,
  uploads,
}: {
  item: ReturnType<Uploads['items']>[number]
  uploads: Uploads
}) {
  return (
    <li className={classes.row}>
      <FileIcon kind={fileTypes[extensionOf(item.file.name) ?? 'txt'].kind} />
      <span className={classes.name}>{item.file.name}</span>
      <span className={classes.size}>{sizeInWords(item.file.size)}</span>
      {item.state === 'failed' && item.again && (
        <ActionIcon
          variant="subtle"
          aria-label={`Retry ${item.file.name}`}
          onClick={() => uploads.retry(item.key)}
        >
          <IconRefresh size={16} stroke={1.5} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={item.state === 'failed' ? `Dismiss ${item.file.name}` : `Cancel ${item.file.name}`}
        onClick={() => uploads.cancel(item.key)}
      >
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
      {item.error === undefined ? (
        <Progress
          className={classes.wide}
          size="xs"
          value={item.progress * 100}
          aria-label={`Uploading ${item.file.name}`}
        />
      ) : (
        <span className={classes.error} role="alert">
          {item.error}
        </span>
      )}
    </li>
  )
}
