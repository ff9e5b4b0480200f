import { useQuery } from '@tanstack/react-query'
import { contentsOfFiles, type FileContents, type ListedFile } from '#shared/file-contents.contract.ts'
import type { FileRef } from '#shared/files.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import classes from '#web/files/contents.module.css'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { Loaded } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { countText, fullTime } from '#web/time.ts'

/** The contents of an archive or email. A stored file never changes. */
export default function ContentsOfFile({ file: { id, name } }: { file: FileRef }) {
  const query = useQuery({
    ...queryOptionsFor(contentsOfFiles.list, { params: { id } }),
    staleTime: Infinity,
  })
  return (
    // It scrolls, also with the keyboard.
    <div className={classes.contents} role="group" aria-label={`Contents of ${name}`} tabIndex={0}>
      <Loaded query={query}>{({ data }) => <Contents contents={data} />}</Loaded>
    </div>
  )
}

function Contents({ contents }: { contents: FileContents }) {
  if (contents.type === 'unreadable') return <Soft>{contents.problem}</Soft>
  return (
    <>
      {contents.type === 'eml' && <Letter letter={contents} />}
      {(contents.type === 'zip' || contents.total > 0) && (
        <>
          <Soft small>{countOf(contents)}</Soft>
          <ul className={classes.entries}>
            {contents.entries.map((entry, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- an archive can have a name twice, and never changes
              <Entry key={index} entry={entry} />
            ))}
          </ul>
        </>
      )}
      {contents.problem !== '' && <Soft small>{contents.problem}</Soft>}
    </>
  )
}

function countOf({ type, entries, total }: Exclude<FileContents, { type: 'unreadable' }>): string {
  if (total === 0) return 'This archive is empty.'
  const noun = type === 'eml' ? 'attachment' : 'file'
  const counted = `${countText(total)} ${noun}${total === 1 ? '' : 's'}`
  return entries.length < total ? `The first ${countText(entries.length)} of ${counted}` : counted
}

function Entry({ entry: { name, folder, bytes, problem, contents } }: { entry: ListedFile }) {
  return (
    <li className={classes.entry}>
      <span className={classes.name}>
        {/* A name in another direction must not turn its extension around. */}
        <bdi>{name}</bdi>
        {folder !== '' && (
          <Soft as="span" small>
            {' in '}
            <bdi>{folder}</bdi>
          </Soft>
        )}
      </span>
      <span className={classes.size}>
        {bytes === null ? 'Unknown size' : bytes === 0 ? 'Empty' : sizeInWords(bytes)}
      </span>
      {problem !== '' && <span className={classes.problem}>{problem}</span>}
      {contents && (
        <div className={classes.nested}>
          <Contents contents={contents} />
        </div>
      )}
    </li>
  )
}

function Letter({ letter: { from, to, subject, date, text } }: { letter: FileContents & { type: 'eml' } }) {
  return (
    <>
      <dl className={classes.heads}>
        <dt>From</dt>
        <dd>
          <bdi>{from || 'Unknown sender'}</bdi>
        </dd>
        {to.length > 0 && (
          <>
            <dt>To</dt>
            <dd>{to.join(', ')}</dd>
          </>
        )}
        <dt>Subject</dt>
        <dd>
          <bdi>{subject || 'No subject'}</bdi>
        </dd>
        {date !== null && (
          <>
            <dt>Date</dt>
            <dd>{fullTime(date)}</dd>
          </>
        )}
      </dl>
      <p className={classes.text} dir="auto">
        {text === '' ? 'This email has no text.' : text}
      </p>
    </>
  )
}
