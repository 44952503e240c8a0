------------------------------- MODULE Journal -------------------------------
\* A queue with a journal: tasks are rows of a table, and Redis is the clock that delivers
\* them. Redis may forget everything, or become an older copy of itself, at any moment; a
\* process may die between any two steps.
\*
\* Redis is what Core.tla promises: a task has one record, in one place. A transaction shows
\* what it did when it commits, and locks its row until then. Time is three values of
\* check_at: "soon" (a loader may take the row), "later" (it is looked at again a while after
\* it was due), "far" (it is due beyond the horizon, so nobody has handed it over; it is looked
\* at before it is due); and "never" for dead tasks. Later and far become soon at any time.
\*
\* Not modelled: partitions, pages of more than one row, priorities, savepoints, queues that
\* share a Redis. Two processes never give out the same generation.
\*
\* "code:" names what a step stands for: methods or scripts. A test reads these lines.
EXTENDS Naturals, FiniteSets, Sequences, TLC

CONSTANTS
  Ids, Procs,
  Operations,   \* what applications and handlers do, see below
  Generations, Runs, Burials, Room,          \* bounds of what is given out or held
  Flushes, Rewinds, Copies, Beats,           \* bounds of what happens to Redis, and of loaders that look
  Crashes, Refusals, Expiries, Rollbacks,    \* bounds of other faults
  Skew,         \* whether clocks differ: a later schedule call may get a lower generation
  Broken        \* the guard that is broken; "nothing" is the protocol as it is

VARIABLES
  row,      \* the committed rows, by id
  epoch,    \* what the database remembers of Redis
  rec,      \* the records in Redis, by id
  inc, beat,  \* of Redis: the name of this incarnation (0: none), and its beats
  copies,   \* copies of Redis
  tx,       \* each process: its open transaction
  after,    \* ... what is to follow commits
  held,     \* ... tasks it has claimed
  loader,   \* ... its loader
  names, taken, used,       \* names and generations given out, faults
  committed, fate,          \* what was committed, and what has become of it
  excused,  \* rows of which the protocol admits that they are found late
  blind,    \* Redis became a copy which nobody can tell from what it was
  wrong     \* the first wrong thing that happened

redis == <<rec, inc, beat>>
memory == <<tx, after, held, loader>>
truth == <<committed, fate, excused, blind, wrong>>
given == <<names, taken>>
vars == <<row, epoch, redis, copies, memory, given, used, truth>>

Is(guard) == Broken = guard
May(operation) == operation \in Operations

AllGenerations == 1 .. Generations
NoRow == [gen |-> 0, content |-> 0, check |-> "soon", dead |-> FALSE, run |-> 0, failure |-> 0]
NoRecord == [gen |-> 0, content |-> 0, at |-> "nowhere", token |-> 0, run |-> 0, failure |-> 0]
AnId == CHOOSE i \in Ids : TRUE
NoTx == [op |-> "none", id |-> AnId, gen |-> 0, known |-> FALSE, passed |-> FALSE]
NoEpoch == [inc |-> 0, beat |-> 0, turn |-> 0]
Idle == [at |-> "idle", id |-> AnId, row |-> NoRow, seen |-> 0, before |-> NoEpoch, now |-> NoEpoch, todo |-> {}]
Faults == {"flush", "rewind", "crash", "refusal", "expiry", "rollback", "beat", "burial"}

Init ==
  /\ row = [i \in Ids |-> NoRow] /\ epoch = [inc |-> 1, beat |-> 1, turn |-> 0]
  /\ rec = [i \in Ids |-> NoRecord] /\ inc = 1 /\ beat = 1 /\ copies = <<>>
  /\ tx = [p \in Procs |-> NoTx] /\ after = [p \in Procs |-> {}]
  /\ held = [p \in Procs |-> {}] /\ loader = [p \in Procs |-> Idle]
  /\ names = 1 /\ taken = {} /\ used = [f \in Faults |-> 0]
  /\ committed = {} /\ fate = [i \in Ids |-> [g \in AllGenerations |-> "none"]]
  /\ excused = {} /\ blind = FALSE /\ wrong = "nothing"

Use(what, most) == used[what] < most /\ used' = [used EXCEPT ![what] = @ + 1]
First(what, condition) == IF wrong = "nothing" /\ condition THEN what ELSE wrong
Exists(i) == row[i].gen # 0
InRedis(i) == rec[i].at # "nowhere"
Handed(r) == r.check \in {"later", "never", "unseen"}

\* Rows that nobody else may change now
Locked(i) ==
  \/ \E p \in Procs : tx[p].op # "none" /\ tx[p].id = i
  \/ \E p \in Procs : loader[p].at = "locked" /\ loader[p].id = i

FreeGenerations(i) ==
  {g \in AllGenerations : g \notin taken /\ g > row[i].gen /\ (Skew \/ \A h \in taken : g > h)}

-----------------------------------------------------------------------------
\* What Redis does for the journal

\* Keep what is of the same or a later generation
Newer(i, r, records) ==
  IF records[i].at # "nowhere" /\ records[i].gen >= r.gen /\ ~Is("a hand-over leaves what is not older")
  THEN records
  ELSE [records EXCEPT ![i] = [gen |-> r.gen, content |-> r.content, at |-> "scheduled", token |-> 0,
                               run |-> r.run, failure |-> r.failure]]
HandOver(i, r) == Newer(i, r, rec)

CancelUpTo(i, g) ==
  IF rec[i].at \in {"scheduled", "in flight"} /\ (rec[i].gen <= g \/ Is("a cancellation leaves what is newer"))
  THEN [rec EXCEPT ![i] = NoRecord] ELSE rec

\* Only a record of the generation that is expected has the content of the row. One that is
\* dead is scheduled again by a redrive
MoveFrom(i, from, r) ==
  IF rec[i].at = "scheduled" /\ IF Is("a move names the generation it expects") THEN rec[i].gen < r.gen ELSE rec[i].gen = from
  THEN [rec EXCEPT ![i].gen = r.gen] ELSE HandOver(i, r)

-----------------------------------------------------------------------------
\* Transactions of applications: the row is changed and locked

\* A purge finds what is dead, and locks it only then
Found(i, g) == [op |-> "found", id |-> i, from |-> g, row |-> NoRow]

\* code: JournalTable#findDead
Find(p, i) ==
  /\ May("purge") /\ tx[p].op = "none" /\ Exists(i) /\ row[i].dead
  /\ after' = [after EXCEPT ![p] = @ \cup {Found(i, row[i].gen)}]
  /\ UNCHANGED <<row, epoch, redis, copies, tx, held, loader, given, used, truth>>

\* code: TaskWriter#schedule, TaskChanges#cancel, TaskChanges#reschedule, TaskChanges#redrive, JournalTable#deleteDead
Begin(p, op, i) ==
  LET known == InRedis(i) /\ rec[i].gen = row[i].gen IN
  /\ May(op) /\ tx[p].op = "none" /\ ~Locked(i)
  /\ CASE op \in {"put", "put far"} -> TRUE
       [] op \in {"move", "move far"} -> Exists(i) /\ ~row[i].dead /\ ~(known /\ rec[i].at # "scheduled")
       [] op = "cancel" -> Exists(i) /\ ~row[i].dead
       [] op = "purge" -> Found(i, row[i].gen) \in after[p] /\ Exists(i)
                          /\ (row[i].dead \/ Is("a purge deletes only what is still dead"))
       [] op = "redrive" -> Exists(i) /\ (row[i].dead \/ (known /\ rec[i].at = "dead"))
       [] OTHER -> FALSE
  /\ \E g \in (IF op \in {"cancel", "purge"} \/ (op = "redrive" /\ (row[i].dead \/ Is("a redrive that the row does not expect takes another generation")))
               THEN {row[i].gen} ELSE FreeGenerations(i)) :
       /\ tx' = [tx EXCEPT ![p] = [op |-> op, id |-> i, gen |-> g, known |-> known, passed |-> FALSE]]
       /\ taken' = taken \cup {g}
  /\ after' = [after EXCEPT ![p] = IF op = "purge" THEN @ \ {Found(i, row[i].gen)} ELSE @]
  /\ UNCHANGED <<row, epoch, redis, copies, held, loader, names, used, truth>>

Changed(t) ==
  LET old == row[t.id] IN
  CASE t.op = "put" -> [gen |-> t.gen, content |-> t.gen, check |-> "soon", dead |-> FALSE, run |-> 1, failure |-> 0]
    [] t.op = "put far" -> [gen |-> t.gen, content |-> t.gen, check |-> "far", dead |-> FALSE, run |-> 1, failure |-> 0]
    [] t.op = "move" -> [old EXCEPT !.gen = t.gen, !.check = "soon"]
    [] t.op = "move far" -> [old EXCEPT !.gen = t.gen, !.check = "far"]
    [] t.op = "redrive" -> [old EXCEPT !.gen = t.gen, !.dead = FALSE, !.check = "soon"]
    [] OTHER -> NoRow

Fate(t, old) ==
  [fate EXCEPT ![t.id] = [g \in AllGenerations |->
     CASE t.op \in {"cancel", "purge"} /\ g = t.gen -> "cancelled"
       [] t.op = "redrive" /\ ~row[t.id].dead /\ g = old /\ g = t.gen -> "redriven"   \* only where that guard is broken
       [] t.op \notin {"cancel", "purge"} /\ g = t.gen -> "open"
       [] t.op \notin {"cancel", "purge"} /\ g = old -> "replaced"
       [] OTHER -> @[g]]]

\* What is due beyond the horizon is not handed over, unless Redis has it and can move it
\* code: Transactions#write, AfterCommit#afterCommit
Commit(p) ==
  LET t == tx[p]
      old == row[t.id]
      new == Changed(t)
      follows == CASE t.op = "put far" -> {}
                   [] t.op = "move far" -> IF t.known THEN {"move"} ELSE {}
                   [] t.op = "move" -> IF t.known THEN {"move"} ELSE {"put"}
                   [] t.op = "redrive" -> IF t.gen # old.gen THEN {"move"} ELSE {"redrive"}
                   [] OTHER -> {t.op}
  IN
  /\ t.op # "none" /\ tx' = [tx EXCEPT ![p] = NoTx]
  /\ row' = [row EXCEPT ![t.id] = new]
  /\ after' = [after EXCEPT ![p] = @ \cup {[op |-> o, id |-> t.id, from |-> old.gen,
                                            row |-> IF new.gen = 0 THEN old ELSE new] : o \in follows}]
  /\ committed' = committed \cup {<<t.id, new.gen>>}
  /\ fate' = Fate(t, old.gen)
  /\ excused' = excused \ {t.id}
  /\ wrong' = First("a task that waits again was purged", t.op = "purge" /\ ~old.dead)
  /\ UNCHANGED <<epoch, redis, copies, held, loader, given, used, blind>>

\* A row that a reset has passed over because of this transaction stays as it is
\* code: none
Rollback(p) ==
  /\ tx[p].op # "none" /\ Use("rollback", Rollbacks) /\ tx' = [tx EXCEPT ![p] = NoTx]
  /\ excused' = IF tx[p].passed THEN excused \cup {tx[p].id} ELSE excused
  /\ UNCHANGED <<row, epoch, redis, copies, after, held, loader, given, committed, fate, blind, wrong>>

\* All rows go, and then all that Redis has
\* code: TaskChanges#clear
ClearRows(p) ==
  /\ May("clear") /\ \E i \in Ids : Exists(i)
  /\ \A i \in Ids : ~Locked(i)
  /\ [op |-> "clear", id |-> AnId, from |-> 0, row |-> NoRow] \notin after[p]
  /\ row' = [i \in Ids |-> NoRow]
  /\ fate' = [i \in Ids |-> [g \in AllGenerations |-> IF Exists(i) /\ g = row[i].gen THEN "cancelled" ELSE fate[i][g]]]
  /\ after' = [after EXCEPT ![p] = @ \cup {[op |-> "clear", id |-> AnId, from |-> 0, row |-> NoRow]}]
  /\ excused' = {}
  /\ UNCHANGED <<epoch, redis, copies, tx, held, loader, given, used, committed, blind, wrong>>

\* What follows a commit, in Redis. It may be late, and overtake what follows another one
\* code: HandOver#afterCommit, schedule.lua, reschedule.lua, cancel.lua, redrive.lua, purge.lua, clear.lua
Follow(p, m) ==
  LET i == m.id IN
  /\ m \in after[p] /\ m.op \notin {"reset", "found"}
  /\ after' = [after EXCEPT ![p] = (@ \ {m}) \cup
                 (IF m.op = "clear" /\ ~Is("rows are looked at again after Redis was cleared") THEN {[m EXCEPT !.op = "reset"]} ELSE {})]
  /\ rec' = CASE m.op = "put" -> HandOver(i, m.row)
              [] m.op = "move" -> MoveFrom(i, m.from, m.row)
              [] m.op = "cancel" -> CancelUpTo(i, m.row.gen)
              [] m.op = "redrive" -> IF rec[i].at = "dead" THEN [rec EXCEPT ![i].at = "scheduled"] ELSE rec
              [] m.op = "purge" -> IF rec[i].at = "dead" /\ (rec[i].gen <= m.row.gen \/ Is("a purge leaves what is newer")) THEN [rec EXCEPT ![i] = NoRecord] ELSE rec
              [] m.op = "clear" -> [j \in Ids |-> NoRecord]
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, held, loader, given, used, truth>>

\* What others have scheduled since the rows went may have gone with them
\* code: Rechecks#wanted
LookAgain(p, m) ==
  /\ m \in after[p] /\ m.op = "reset"
  /\ after' = [after EXCEPT ![p] = @ \ {m}]
  /\ row' = [i \in Ids |-> IF Exists(i) /\ Handed(row[i]) THEN [row[i] EXCEPT !.check = "soon"] ELSE row[i]]
  /\ UNCHANGED <<epoch, redis, copies, tx, held, loader, given, used, truth>>

\* Redis does not do what follows a commit; then a loader does
\* code: HandOver#failed
Refuse(p, m) ==
  /\ m \in after[p] /\ m.op \notin {"reset", "clear", "found"} /\ Use("refusal", Refusals)
  /\ after' = [after EXCEPT ![p] = @ \ {m}]
  /\ UNCHANGED <<row, epoch, redis, copies, tx, held, loader, given, truth>>

-----------------------------------------------------------------------------
\* Loaders

\* A loader looks at the row when check_at has come
\* code: none
Comes(i) ==
  /\ Exists(i) /\ ~Locked(i)
  /\ row[i].check = "far" \/ (row[i].check \in {"later", "unseen"} /\ ~Is("what is overdue is looked at again"))
  /\ row' = [row EXCEPT ![i].check = "soon"]
  /\ excused' = excused \ {i}
  /\ UNCHANGED <<epoch, redis, copies, memory, given, used, committed, fate, blind, wrong>>

\* check_at is moved on and committed before anything is handed over
\* code: Loading#load
Take(p, i) ==
  /\ loader[p].at = "idle" /\ Exists(i) /\ row[i].check \in {"soon", "early"} /\ ~Locked(i)
  /\ LET on == [row[i] EXCEPT !.check = CASE row[i].dead -> "never" [] @ = "early" -> "unseen" [] OTHER -> "later"] IN
     IF Is("check_at is committed before the hand-over")
     THEN /\ loader' = [loader EXCEPT ![p] = [Idle EXCEPT !.at = "locked", !.id = i, !.row = on]]
          /\ rec' = HandOver(i, row[i])
          /\ UNCHANGED row
     ELSE /\ loader' = [loader EXCEPT ![p] = [Idle EXCEPT !.at = "taken", !.id = i, !.row = on]]
          /\ row' = [row EXCEPT ![i] = on]
          /\ UNCHANGED rec
  /\ UNCHANGED <<epoch, inc, beat, copies, tx, after, held, given, used, truth>>

\* Only where that guard is broken
\* code: none
MoveOnLate(p) ==
  /\ loader[p].at = "locked"
  /\ row' = [row EXCEPT ![loader[p].id] = loader[p].row]
  /\ loader' = [loader EXCEPT ![p] = Idle]
  /\ UNCHANGED <<epoch, redis, copies, tx, after, held, given, used, truth>>

\* A row that Redis would not take because it has one is compared with it
\* code: HandOver#rows, schedule.lua
Give(p) ==
  LET l == loader[p]  new == HandOver(l.id, l.row) IN
  /\ l.at = "taken" /\ rec' = new
  /\ loader' = [loader EXCEPT ![p] = IF new = rec THEN [l EXCEPT !.at = "kept"] ELSE Idle]
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, held, given, used, truth>>

\* code: Loading#load
GiveRefused(p) ==
  /\ loader[p].at = "taken" /\ Use("refusal", Refusals)
  /\ loader' = [loader EXCEPT ![p] = IF Is("what Redis refuses is looked at again") THEN Idle ELSE [@ EXCEPT !.at = "refused"]]
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, held, given, truth>>

\* Only the row as this loader has left it
\* code: Loading#load
GiveBack(p) ==
  LET l == loader[p] IN
  /\ l.at = "refused" /\ ~Locked(l.id)
  /\ row' = IF row[l.id] = l.row THEN [row EXCEPT ![l.id].check = "soon"] ELSE row
  /\ loader' = [loader EXCEPT ![p] = Idle]
  /\ UNCHANGED <<epoch, redis, copies, tx, after, held, given, used, truth>>

\* What Redis has is of a task that was finished, by a clock that was ahead; or it is dead
\* there, because a process died before the table was told so, or the other way round
\* code: Loading#agree
Compare(p) ==
  LET l == loader[p]  i == l.id  r == rec[i] IN
  /\ l.at = "kept"
  /\ loader' = [loader EXCEPT ![p] =
       IF r.at # "nowhere" /\ r.gen > l.row.gen THEN [l EXCEPT !.at = "raise", !.seen = r.gen]
       ELSE IF r.at = "dead" /\ r.gen = l.row.gen /\ ~l.row.dead
            THEN [l EXCEPT !.at = IF r.failure = l.row.failure THEN "redrive" ELSE "bury", !.seen = r.failure]
            ELSE Idle]
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, held, given, used, truth>>

\* code: Loading#agree
Raise(p) ==
  LET l == loader[p]  i == l.id IN
  /\ l.at = "raise" /\ ~Locked(i)
  /\ IF row[i].gen # l.row.gen
     THEN /\ loader' = [loader EXCEPT ![p] = Idle]
          /\ UNCHANGED <<row, taken, committed, fate>>
     ELSE \E g \in {h \in AllGenerations : h \notin taken /\ h > l.seen} :
          /\ row' = [row EXCEPT ![i].gen = g]
          /\ taken' = taken \cup {g}
          /\ committed' = committed \cup {<<i, g>>}
          /\ fate' = [fate EXCEPT ![i][g] = "open", ![i][l.row.gen] = "replaced"]
          /\ loader' = [loader EXCEPT ![p] = [l EXCEPT !.at = "taken", !.row = [row[i] EXCEPT !.gen = g]]]
  /\ UNCHANGED <<epoch, redis, copies, tx, after, held, names, used, excused, blind, wrong>>

\* code: Loading#agree
Agree(p) ==
  LET l == loader[p]  i == l.id IN
  /\ l.at \in {"redrive", "bury"} /\ ~Locked(i)
  /\ rec' = IF l.at = "redrive" /\ rec[i].at = "dead" THEN [rec EXCEPT ![i].at = "scheduled"] ELSE rec
  /\ LET mine == l.at = "bury" /\ row[i].gen = l.row.gen IN
     /\ row' = IF mine THEN [row EXCEPT ![i].dead = TRUE, ![i].check = "soon", ![i].failure = l.seen] ELSE row
     /\ fate' = IF mine THEN [fate EXCEPT ![i][l.row.gen] = "dead"] ELSE fate
     /\ wrong' = First("a redrive was undone", mine /\ fate[i][l.row.gen] = "redriven")
  /\ loader' = [loader EXCEPT ![p] = Idle]
  /\ UNCHANGED <<epoch, inc, beat, copies, tx, after, held, given, used, committed, excused, blind>>

-----------------------------------------------------------------------------
\* Losses of Redis

\* The epoch is claimed for a while, so that one loader asks at a time, until all is done
\* code: Loading#beat
Ask(p) ==
  /\ \A q \in Procs : loader[q].at \notin {"asks", "beaten", "lost"}
  /\ loader[p].at = "idle" /\ used["beat"] < Beats
  /\ loader' = [loader EXCEPT ![p] = [Idle EXCEPT !.at = "asks", !.before = epoch]]
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, held, given, used, truth>>

\* Redis counts a beat. An older copy gets another name in the same step, so that a loss stays
\* one until it has been dealt with
\* code: Loading#beat, beat.lua
Beat(p) ==
  LET l == loader[p]
      older == inc = l.before.inc /\ beat < l.before.beat
      new == inc = 0 \/ (older /\ ~Is("an older copy gets another name"))
      now == [inc |-> IF new THEN names + 1 ELSE inc, beat |-> IF new THEN 1 ELSE beat + 1, turn |-> used["beat"] + 1]
  IN
  /\ l.at = "asks" /\ Use("beat", Beats)
  /\ inc' = now.inc /\ beat' = now.beat
  /\ names' = IF new THEN names + 1 ELSE names
  /\ loader' = [loader EXCEPT ![p] = [l EXCEPT !.at = "beaten", !.now = now]]
  /\ UNCHANGED <<row, epoch, rec, copies, tx, after, held, taken, truth>>

IsSame(l) == l.now.inc = l.before.inc

\* code: Loading#beat
Judge(p) ==
  LET l == loader[p] IN
  /\ l.at = "beaten"
  /\ epoch' = IF IsSame(l) \/ Is("a loss is remembered after the reset") THEN l.now ELSE epoch
  /\ loader' = [loader EXCEPT ![p] = IF IsSame(l) THEN Idle ELSE [l EXCEPT !.at = "lost", !.todo = Ids]]
  /\ UNCHANGED <<row, redis, copies, tx, after, held, given, used, truth>>

\* Row by row. What somebody has locked is passed over: it will be handed over after its commit
\* code: Rechecks#all
Reset(p, i) ==
  LET l == loader[p] IN
  /\ l.at = "lost" /\ i \in l.todo
  /\ loader' = [loader EXCEPT ![p].todo = @ \ {i}]
  /\ row' = IF Exists(i) /\ ~Locked(i) /\ Handed(row[i]) /\ row[i].check # "unseen" /\ ~Is("a reset looks at all that was handed over")
            THEN [row EXCEPT ![i].check = "soon"] ELSE row
  /\ tx' = [q \in Procs |-> IF tx[q].op # "none" /\ tx[q].id = i THEN [tx[q] EXCEPT !.passed = TRUE] ELSE tx[q]]
  /\ UNCHANGED <<epoch, redis, copies, after, held, given, used, truth>>

\* code: Loading#beat
Remember(p) ==
  LET l == loader[p] IN
  /\ l.at = "lost" /\ l.todo = {}
  /\ epoch' = l.now
  /\ loader' = [loader EXCEPT ![p] = Idle]
  /\ UNCHANGED <<row, redis, copies, tx, after, held, given, used, truth>>

\* code: none
Flush ==
  /\ Use("flush", Flushes)
  /\ rec' = [i \in Ids |-> NoRecord] /\ inc' = 0 /\ beat' = 0
  /\ UNCHANGED <<row, epoch, copies, memory, given, truth>>

\* code: none
Copy ==
  /\ Len(copies) < Copies /\ used["rewind"] < Rewinds
  /\ copies' = Append(copies, [rec |-> rec, inc |-> inc, beat |-> beat, turn |-> used["beat"]])
  /\ UNCHANGED <<row, epoch, redis, memory, given, used, truth>>

\* If no beat was counted and remembered since the copy was made, nobody can tell
\* code: none
Rewind(n) ==
  /\ n \in 1 .. Len(copies) /\ Use("rewind", Rewinds)
  /\ rec' = copies[n].rec /\ inc' = copies[n].inc /\ beat' = copies[n].beat
  /\ blind' = (blind \/ epoch.turn <= copies[n].turn)
  /\ UNCHANGED <<row, epoch, copies, memory, given, committed, fate, excused, wrong>>

\* A loader that dies between moving check_at on and handing over leaves a row that is found
\* late. So does whoever dies between clearing Redis and letting all rows be looked at again
\* code: none
Die(p) ==
  /\ Use("crash", Crashes)
  /\ excused' = excused \cup (IF loader[p].at \in {"taken", "refused"} THEN {loader[p].id} ELSE {})
                        \cup (IF tx[p].passed THEN {tx[p].id} ELSE {})
                        \cup {d.id : d \in {e \in held[p] : e.state \in {"passed", "in vain"}}}
                        \cup (IF \E m \in after[p] : m.op = "reset" THEN Ids ELSE {})
  /\ tx' = [tx EXCEPT ![p] = NoTx] /\ after' = [after EXCEPT ![p] = {}]
  /\ held' = [held EXCEPT ![p] = {}] /\ loader' = [loader EXCEPT ![p] = Idle]
  /\ UNCHANGED <<row, epoch, redis, copies, given, committed, fate, blind, wrong>>

-----------------------------------------------------------------------------
\* Deliveries

AllTokens == 1 .. (Room * Cardinality(Procs) + Cardinality(Ids) * (Copies + 1) + 1)
Tokens == {rec[i].token : i \in Ids} \cup {d.token : d \in UNION {held[p] : p \in Procs}}
          \cup UNION {{copies[n].rec[i].token : i \in Ids} : n \in 1 .. Len(copies)}
NewToken == CHOOSE t \in AllTokens : t \notin Tokens /\ \A u \in AllTokens : u < t => u \in Tokens
Holds(d) == rec[d.id].at = "in flight" /\ rec[d.id].token = d.token
Become(p, d, e) == held' = [held EXCEPT ![p] = (@ \ {d}) \cup {e}]
Forget(p, d) == held' = [held EXCEPT ![p] = @ \ {d}]
Is_(p, d, state) == d \in held[p] /\ d.state = state

\* code: JournaledClaims#claim, claim.lua
Claim(p, i) ==
  LET lives == \E q \in Procs : \E d \in held[q] : d.id = i /\ d.token = rec[i].token IN
  /\ Cardinality(held[p]) < Room
  /\ rec[i].at \in {"scheduled", "in flight"}
  /\ IF rec[i].at = "in flight" /\ lives THEN Use("expiry", Expiries) ELSE UNCHANGED used
  /\ rec' = [rec EXCEPT ![i].at = "in flight", ![i].token = NewToken]
  /\ held' = [held EXCEPT ![p] = @ \cup {[id |-> i, token |-> NewToken, gen |-> rec[i].gen, content |-> rec[i].content,
                                          run |-> rec[i].run, state |-> "claimed"]}]
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, loader, given, truth>>

\* Nothing is delivered that the table does not have in this generation
\* code: JournaledClaims#check
Check(p, d) ==
  LET r == row[d.id]
      other == \/ r.gen = 0 /\ ~Is("claims are checked against the table")
               \/ r.gen # d.gen /\ ~Is("claims are checked against the table") /\ ~Is("claims compare generations")
      buried == r.dead /\ ~Is("dead tasks are not delivered") /\ ~Is("claims are checked against the table")
      done == r.run > d.run /\ ~Is("claims compare runs")
  IN
  /\ Is_(p, d, "claimed")
  /\ \E come \in BOOLEAN :   \* whether the next run is due by now
     LET state == IF other THEN "drop" ELSE IF buried THEN "dead" ELSE IF done /\ ~come THEN "early" ELSE "running"
         f == fate[d.id][d.gen]
     IN
     /\ come => done /\ ~other /\ ~buried
     /\ Become(p, d, [d EXCEPT !.state = state, !.run = IF done /\ come THEN r.run ELSE @])
     /\ wrong' = IF wrong # "nothing" \/ state # "running" THEN wrong
                 ELSE IF <<d.id, d.gen>> \notin committed THEN "a task was delivered whose transaction was rolled back"
                 ELSE IF f = "cancelled" THEN "a task was delivered after its cancellation was committed"
                 ELSE IF f = "handled" THEN "a task was delivered after it was finished"
                 ELSE IF f = "replaced" THEN "a task was delivered as it was before it was moved or replaced"
                 ELSE IF f = "dead" THEN "a dead task was delivered"
                 ELSE IF r.content # d.content THEN "a task was delivered with the content of an older generation"
                 ELSE IF r.run > d.run /\ ~come THEN "a run was delivered that had been handled"
                 ELSE wrong
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, loader, given, used, committed, fate, excused, blind>>

\* What is not to be delivered leaves Redis, is dead there, or waits for its next run. The row
\* of a later generation is looked at then, unless it is beyond the horizon: "early" rows are
\* handed over, and no reset sees that they were
\* code: JournaledClaims#settleInvalid, Rechecks#some, settle.lua
SettleInvalid(p, d) ==
  /\ d \in held[p] /\ d.state \in {"drop", "dead", "early"} /\ Forget(p, d)
  /\ rec' = IF ~Holds(d) THEN rec
            ELSE CASE d.state = "drop" -> [rec EXCEPT ![d.id] = NoRecord]
                   [] d.state = "dead" -> [rec EXCEPT ![d.id].at = "dead", ![d.id].token = 0, ![d.id].failure = row[d.id].failure]
                   [] d.state = "early" -> [rec EXCEPT ![d.id].at = "scheduled", ![d.id].token = 0, ![d.id].run = row[d.id].run]
  /\ row' = IF d.state = "drop" /\ row[d.id].gen > d.gen /\ row[d.id].check = "far" /\ ~Locked(d.id)
               /\ Is("what is beyond the horizon is not looked at early")
            THEN [row EXCEPT ![d.id].check = "early"] ELSE row
  /\ UNCHANGED <<epoch, inc, beat, copies, tx, after, loader, given, used, truth>>

\* A failure, or a release
\* code: settle.lua
Retry(p, d) ==
  /\ Is_(p, d, "running") /\ Use("expiry", Expiries) /\ Forget(p, d)
  /\ rec' = IF Holds(d) THEN [rec EXCEPT ![d.id].at = "scheduled", ![d.id].token = 0] ELSE rec
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, loader, given, truth>>

\* The row goes before the task
\* code: Settlements#delete
DeleteRow(p, d) ==
  LET r == row[d.id]
      mine == r.gen # 0 /\ (r.gen = d.gen \/ Is("rows are deleted by generation"))
      late == Is("the row goes before the task")
  IN
  /\ Is_(p, d, IF late THEN "settled" ELSE "running") /\ ~Locked(d.id)
  /\ row' = IF mine THEN [row EXCEPT ![d.id] = NoRow] ELSE row
  /\ fate' = IF mine /\ r.gen = d.gen THEN [fate EXCEPT ![d.id][d.gen] = "handled"] ELSE fate
  /\ wrong' = First("the row of a newer generation was deleted", mine /\ r.gen # d.gen)
  /\ IF late THEN Forget(p, d) ELSE Become(p, d, [d EXCEPT !.state = IF mine THEN "deleted" ELSE "missing"])
  /\ excused' = excused \ {d.id}
  /\ UNCHANGED <<epoch, redis, copies, tx, after, loader, given, used, committed, blind>>

\* What was moved meanwhile is not finished by what it was before
\* code: Settlements#judge, settle.lua
DropOutdated(p, d) ==
  /\ Is_(p, d, "missing")
  /\ Become(p, d, [d EXCEPT !.state = IF row[d.id].gen > d.gen /\ ~Is("what was moved meanwhile is not done") THEN "outdated" ELSE "gone"])
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, loader, given, used, truth>>

\* code: Settlements#tell, settle.lua
Settle(p, d) ==
  LET late == Is("the row goes before the task")
      confirmed == Holds(d) /\ d.state # "outdated"
  IN
  /\ d \in held[p] /\ d.state \in (IF late THEN {"running"} ELSE {"deleted", "gone", "outdated"})
  /\ IF late THEN Become(p, d, [d EXCEPT !.state = "settled"]) ELSE Forget(p, d)
  /\ rec' = IF Holds(d) THEN [rec EXCEPT ![d.id] = NoRecord] ELSE rec
  /\ wrong' = First("a task was confirmed as done, and is delivered again as it was moved",
                    /\ confirmed /\ row[d.id].gen > d.gen
                    /\ \A g \in AllGenerations : fate[d.id][g] \in {"none", "open", "replaced"})
  /\ fate' = IF late /\ Holds(d) THEN [fate EXCEPT ![d.id][d.gen] = "handled"] ELSE fate
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, loader, given, used, committed, excused, blind>>

\* Before a task is given up or repeated: somebody else may have handled or cancelled it
\* code: Settlements#judge
Want(p, d, what) ==
  /\ Is_(p, d, "running") /\ May(what)
  /\ what = "repeat" => d.run < Runs
  /\ what = "bury" => used["burial"] < Burials
  /\ Become(p, d, [d EXCEPT !.state = IF row[d.id].gen = d.gen THEN what ELSE "drop"])
  /\ UNCHANGED <<row, epoch, redis, copies, tx, after, loader, given, used, truth>>

\* code: settle.lua
Bury(p, d) ==
  /\ Is_(p, d, "bury")
  /\ IF Holds(d)
     THEN /\ used' = [used EXCEPT !["burial"] = @ + 1]
          /\ rec' = [rec EXCEPT ![d.id].at = "dead", ![d.id].token = 0, ![d.id].failure = used["burial"] + 1]
          /\ Become(p, d, [d EXCEPT !.state = "buried", !.run = used["burial"] + 1])
     ELSE /\ Forget(p, d) /\ UNCHANGED <<rec, used>>
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, loader, given, truth>>

\* code: Settlements#deadLetter
BuryRow(p, d) ==
  LET mine == row[d.id].gen = d.gen IN
  /\ Is_(p, d, "buried") /\ ~Locked(d.id) /\ Forget(p, d)
  /\ row' = IF mine THEN [row EXCEPT ![d.id].dead = TRUE, ![d.id].failure = d.run, ![d.id].check = "soon"] ELSE row
  /\ fate' = IF mine THEN [fate EXCEPT ![d.id][d.gen] = "dead"] ELSE fate
  /\ wrong' = First("a redrive was undone", mine /\ fate[d.id][d.gen] = "redriven")
  /\ UNCHANGED <<epoch, redis, copies, tx, after, loader, given, used, committed, excused, blind>>

\* A run is done: the row is due later before Redis is told. If Redis has been lost since, a
\* loader is about to look at the row, or the row may have moved past a reset
\* code: Settlements#repeat
RepeatRow(p, d) ==
  LET r == row[d.id]  mine == r.gen = d.gen /\ ~r.dead /\ r.run <= d.run IN
  /\ Is_(p, d, "repeat") /\ ~Locked(d.id)
  /\ \E past \in BOOLEAN :
     /\ past => mine /\ r.check # "soon" /\ \E q \in Procs : loader[q].at = "lost" /\ d.id \in loader[q].todo
     /\ loader' = IF past THEN [q \in Procs |-> [loader[q] EXCEPT !.todo = @ \ {d.id}]] ELSE loader
     /\ Become(p, d, [d EXCEPT !.state = IF past THEN "passed" ELSE "repeated"])
  /\ row' = IF mine
            THEN [row EXCEPT ![d.id].run = d.run + 1,
                             ![d.id].check = IF Is("a repetition leaves alone what is to be looked at") THEN "later" ELSE @]
            ELSE row
  /\ UNCHANGED <<epoch, redis, copies, tx, after, given, used, truth>>

\* code: Settlements#tell, settle.lua
Repeat(p, d) ==
  /\ d \in held[p] /\ d.state \in {"repeated", "passed"}
  /\ rec' = IF Holds(d) THEN [rec EXCEPT ![d.id].at = "scheduled", ![d.id].token = 0, ![d.id].run = d.run + 1] ELSE rec
  /\ IF Holds(d) \/ Is("what was repeated in vain is looked at again")
     THEN Forget(p, d) ELSE Become(p, d, [d EXCEPT !.state = "in vain"])
  /\ UNCHANGED <<row, epoch, inc, beat, copies, tx, after, loader, given, used, truth>>

\* code: Settlements#settle, Rechecks#some
LookAtRun(p, d) ==
  /\ Is_(p, d, "in vain") /\ ~Locked(d.id) /\ Forget(p, d)
  /\ row' = IF row[d.id].gen = d.gen /\ Handed(row[d.id]) THEN [row EXCEPT ![d.id].check = "soon"] ELSE row
  /\ UNCHANGED <<epoch, redis, copies, tx, after, loader, given, used, truth>>

-----------------------------------------------------------------------------

Load(p) == MoveOnLate(p) \/ Give(p) \/ GiveBack(p) \/ Compare(p) \/ Raise(p) \/ Agree(p) \/ \E i \in Ids : Take(p, i)
Recover(p) == Ask(p) \/ Beat(p) \/ Judge(p) \/ Remember(p) \/ \E i \in Ids : Reset(p, i)
Handle(p) == \E d \in held[p] :
  \/ Check(p, d) \/ SettleInvalid(p, d) \/ DeleteRow(p, d) \/ DropOutdated(p, d) \/ Settle(p, d)
  \/ Bury(p, d) \/ BuryRow(p, d) \/ RepeatRow(p, d) \/ Repeat(p, d) \/ LookAtRun(p, d)

Next ==
  \/ \E p \in Procs :
       \/ \E i \in Ids, op \in Operations : Begin(p, op, i) \/ Find(p, i)
       \/ Commit(p) \/ Rollback(p) \/ ClearRows(p) \/ Die(p)
       \/ \E m \in after[p] : Follow(p, m) \/ LookAgain(p, m) \/ Refuse(p, m)
       \/ Load(p) \/ GiveRefused(p) \/ Recover(p) \/ Handle(p)
       \/ \E i \in Ids : Claim(p, i)
       \/ \E d \in held[p] : Retry(p, d) \/ Want(p, d, "bury") \/ Want(p, d, "repeat")
  \/ \E i \in Ids : Comes(i)
  \/ Flush \/ Copy \/ \E n \in 1 .. Copies : Rewind(n)

Spec == Init /\ [][Next]_vars

\* Transactions end, loaders and consumers work, time passes. What follows commits may never happen
LiveSpec ==
  /\ Spec
  /\ \A i \in Ids : WF_vars(Comes(i))
  /\ \A p \in Procs : /\ WF_vars(Commit(p)) /\ WF_vars(Load(p)) /\ WF_vars(Recover(p)) /\ WF_vars(Handle(p))
                      /\ \A i \in Ids : WF_vars(Claim(p, i))

-----------------------------------------------------------------------------
\* What is promised

\* Nothing is delivered after it was cancelled, finished, replaced or given up, with the wrong
\* content, or as a run that was handled; no row goes that is not meant; what was moved
\* meanwhile is not confirmed as done
NothingWrong == wrong = "nothing"

\* A loader will find that Redis has lost something, or has found it and not reset this row yet
ToBeFound(i) ==
  \/ inc # epoch.inc \/ beat < epoch.beat
  \/ \E p \in Procs : loader[p].at = "beaten" /\ ~IsSame(loader[p])
  \/ \E p \in Procs : loader[p].at = "lost" /\ i \in loader[p].todo

\* Somebody knows of this row and is about to do something about it
InWork(i) ==
  \E p \in Procs :
    \/ loader[p].at \in {"taken", "kept", "refused", "raise", "redrive", "bury"} /\ loader[p].id = i
    \/ \E d \in held[p] : d.id = i /\ d.gen = row[i].gen /\ d.state \in {"repeated", "passed", "in vain", "buried"}
    \/ \E m \in after[p] : m.op \in {"clear", "reset"}
    \/ tx[p].passed /\ tx[p].id = i

\* A row that nobody looks at before it is overdue is in Redis
NotForgotten ==
  \A i \in Ids :
    (Exists(i) /\ Handed(row[i]) /\ i \notin excused /\ ~blind) =>
       (InRedis(i) /\ rec[i].gen >= row[i].gen) \/ ToBeFound(i) \/ InWork(i)

\* Every task is delivered and handled, unless it is cancelled, replaced or dead
Delivered == \A i \in Ids : \A g \in AllGenerations : (fate[i][g] = "open") ~> (fate[i][g] # "open")

Symmetry == Permutations(Ids) \cup Permutations(Procs)
=============================================================================
