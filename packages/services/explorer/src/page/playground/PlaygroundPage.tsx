import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { reasonOf } from "../../data/node.js";
import { useDialect } from "../../data/useDialect.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, Loading, Notice, PageHead } from "../../part/Card.js";
import { Icon } from "../../part/Icon.js";
import { Tabs } from "../../part/Tabs.js";
import { Editor, type EditorHandle } from "./Editor.js";
import { examples, examplesOn } from "./examples.js";
import type { OpenKey } from "./KeyChooser.js";
import { LanguageClient } from "./LanguageClient.js";
import { type PlaygroundRun, RunPanel } from "./RunPanel.js";
import { SendPanel } from "./SendPanel.js";
import { linkOf, maxShared, programOf } from "./shareLink.js";

const DevelopmentPanel = lazy(() =>
  import("./DevelopmentPanel.js").then((part) => ({ default: part.DevelopmentPanel })),
);

/** A place to write programs, run them on any state, and send them. */
export function PlaygroundPage() {
  const [first, setFirst] = useState<string>();
  useEffect(() => {
    void programOf(location.hash).then((shared) => setFirst(shared ?? examples[0]!.source));
  }, []);
  return (
    <>
      <PageHead
        title="Playground"
        about="Write Rholang. Run it on the state after any block, which changes nothing, or sign it, send it and watch it become final. Ctrl-Enter runs, Shift-Alt-F formats."
      />
      {first === undefined ? (
        <Card>
          <Loading lines={10} />
        </Card>
      ) : (
        <PlaygroundEditor first={first} />
      )}
    </>
  );
}

function PlaygroundEditor({ first }: { readonly first: string }) {
  const handle = useRef<EditorHandle>(undefined);
  const [language] = useState(() => new LanguageClient());
  const [request, setRequest] = useState<PlaygroundRun>();
  const [block, setBlock] = useState("finalized");
  const [word, setWord] = useState<{ readonly tone: "good" | "bad"; readonly text: string }>();
  const [example, setExample] = useState(0);
  const [key, setKey] = useState<OpenKey>();
  const dialect = useDialect();
  const development = useSettings()?.development ?? undefined;
  useEffect(() => () => language.end(), [language]);
  useEffect(() => {
    language.dialect = dialect;
    handle.current?.lookAgain();
  }, [language, dialect]);
  const text = () => handle.current?.text() ?? "";
  const run = () =>
    setRequest((before) => ({ source: text(), block: block.trim() || "finalized", turn: (before?.turn ?? 0) + 1 }));
  const format = () =>
    void language.ask("format", text()).then(
      (laidOut) => {
        handle.current?.setText(laidOut);
        setWord(undefined);
      },
      (error) => setWord({ tone: "bad", text: reasonOf(error) }),
    );
  const share = async () => {
    if (text().length > maxShared)
      return setWord({ tone: "bad", text: `A link holds at most ${maxShared} characters.` });
    history.replaceState(history.state, "", location.pathname + (await linkOf(text())));
    try {
      await navigator.clipboard.writeText(location.href);
      setWord({ tone: "good", text: "The link is copied; the program is in it, and goes through no server." });
    } catch {
      setWord({ tone: "good", text: "The link is in the address bar; it contains the program." });
    }
  };
  const choose = (index: number) => {
    setExample(index);
    setWord(undefined);
    handle.current?.setText(examplesOn(dialect)[index]!.source);
  };
  return (
    <div className="workplace">
      <Card>
        <div className="editor-bar">
          <label className="hidden-label" htmlFor="example">
            Example
          </label>
          <select
            id="example"
            className="input"
            value={example}
            onChange={(event) => choose(Number(event.target.value))}
          >
            {examples.map(({ title }, index) => (
              <option key={title} value={index}>
                {index + 1}. {title}
              </option>
            ))}
          </select>
          <span className="buttons">
            <button type="button" className="button small" onClick={format}>
              Format
            </button>
            <button type="button" className="button small" onClick={() => void share()}>
              Share
            </button>
          </span>
        </div>
        <p className="editor-about">{examples[example]!.about.replaceAll("`", "")}</p>
        <Editor first={first} handle={handle} language={language} onRun={run} onFormat={format} />
        {word !== undefined && (
          <div className="card-body">
            <Notice tone={word.tone}>{word.text}</Notice>
          </div>
        )}
      </Card>
      <Card>
        <Tabs
          label="What to do with the program"
          tabs={[
            {
              name: "Run",
              content: (
                <>
                  <div className="card-body run-bar">
                    <label className="field grow">
                      On the state after
                      <input
                        value={block}
                        maxLength={64}
                        spellCheck={false}
                        placeholder="finalized, latest, or a block's hash"
                        onChange={(event) => setBlock(event.target.value)}
                      />
                    </label>
                    <button type="button" className="button primary" onClick={run}>
                      <Icon name="play" /> Run
                    </button>
                  </div>
                  <RunPanel request={request} />
                </>
              ),
            },
            { name: "Sign and send", content: <SendPanel text={text} openKey={key} onKey={setKey} /> },
            ...(development === undefined
              ? []
              : [
                  {
                    name: "This chain",
                    content: (
                      <Suspense fallback={<Loading />}>
                        <DevelopmentPanel at={development} openKey={key} onKey={setKey} />
                      </Suspense>
                    ),
                  },
                ]),
          ]}
        />
      </Card>
    </div>
  );
}
