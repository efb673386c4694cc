"""Closed classes of English that the patterns need: verb forms, prepositions, roles, kinds of works, states."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PAST = _set(
    "co-wrote wrote won made became sang met took gave left led sold sent spent found began went came "
    "got held kept knew grew drew flew fell built bought brought taught "
    "fought sought caught set put hit cut shot sat stood lost paid ran saw spoke rose wore broke chose "
    "drove heard bore sank swam threw understood withdrew "
    "undertook overcame read rode swore wed bled fed hid lent dealt meant rebuilt resigned"
)
PRESENT = _set(
    "incorporate contain feature include explore depict describe combine represent reflect show includes "
    "contains features remains plays performs writes holds lives incorporates explores begins depicts "
    "sings tells uses makes gives takes finds becomes appears features comprises comprise provides belongs "
    "refers offers "
    "opens ends stands follows draws reveals presents suggests appears has have owns lies leads begins runs sits "
    "describes marks shows combines represents consists serves works teaches"
)
NOT_PAST = _set(
    "hundred red bed shed seed need indeed speed breed united unpublished aged wicked sacred naked embed "
    "feed op-ed unled kindred infrared supposed so-called "
    "celebrated acclaimed renowned limited related extended expanded mixed varied gifted talented "
    "complicated sophisticated"
)
PARTICIPLES = _set(
    "co-written rewritten written won made become sung met taken given left led sold sent found begun "
    "known grown drawn built bought brought taught fought held kept shot lost paid seen "
    "spoken chosen driven heard born broken stolen thrown set put cut read hidden understood rebuilt buried married"
)
BE = _set("was were is are")
PREPOSITIONS = _set(
    "in on at to from with by for into against near under through as of about around over during since "
    "until after before between among upon within towards toward "
    "across behind along alongside beside via outside inside throughout onto off out up down"
)
STOPS = _set(
    "and but or nor which that who whom whose when while where because although though if so than then "
    "however also both either neither yet once whereas until unless "
    "to not never only just even still is was are were be been being has had have did does do would "
    "could should might may must can will shall "
    "he she it they we i you him them there here what how why"
)
DETERMINERS = _set("a an the his her their its this these those some several many another")
PRONOUNS_LOWER = _set(
    "he she it they him her his hers them their theirs its this that these those who whom whose which i "
    "my me we us our you your one himself herself itself themselves what there"
)
ADVERBS = _set(
    "also first later then soon finally originally initially eventually subsequently recently formally "
    "famously officially immediately briefly legally publicly privately "
    "quickly again once still already often always frequently regularly occasionally widely largely "
    "jointly personally successfully reportedly nearly almost now twice "
    "controversially unexpectedly secretly reluctantly"
)
DOUBT = _set(
    "claimed alleged reportedly allegedly supposedly rumored rumoured apparently perhaps possibly "
    "probably may might could would should if whether unless must cannot according "
    "speculated suggested believed thought considered intended hoped planned wanted tried attempted "
    "refused declined seemed supposed expected likely unlikely"
)
DENIALS = {
    "did not": "did not",
    "didn't": "did not",
    "never": "never",
    "was not": "was not",
    "were not": "were not",
    "had not": "had not",
    "does not": "does not",
}
ROLES = (
    "singer-songwriter|singer|songwriter|musician|guitarist|drummer|bassist|pianist|violinist|composer|pr"
    "oducer|director|critic|poet|author|writer|novelist|playwright|historian|journalist|"
    "biographer|photographer|painter|artist|manager|actor|actress|filmmaker|boxer|scholar|professor|philo"
    "sopher|mathematician|physicist|astronomer|chemist|president|senator|king|queen|emperor|"
    "general|lawyer|attorney|engineer|conductor|choreographer|editor|publisher|politician|activist|scient"
    "ist|economist|theologian|bishop|pope|captain|admiral|commander|architect|sculptor|"
    "screenwriter|comedian|rapper|vocalist|saxophonist|keyboardist|folklorist|promoter|agent|collaborator"
    "|bandleader|essayist|dramatist|inventor|explorer|psychologist|physician|surgeon|"
    "governor|mayor|minister|ambassador|secretary|commentator|broadcaster|presenter|interviewer|columnist|reporter"
    "|disc jockey|record executive|teacher|student"
)
WORKS = (
    "album|single|song|film|movie|documentary|book|novel|poem|play|drama|ballad|painting|opera|symphony|m"
    "agazine|newspaper|memoir|autobiography|collection|anthology|compilation|EP|LP|"
    "track|essay|treatise|journal|musical|series|programme|program|biography|box set|soundtrack|ship|band|group"
)
KIN = (
    "father|mother|brother|sister|son|daughter|wife|husband|grandfather|grandmother|uncle|aunt|cousin|nep"
    "hew|niece|girlfriend|boyfriend|manager|producer|teacher|mentor|friend|student|partner|"
    "collaborator|protégé|successor|predecessor|biographer|guitarist|drummer|bandmate|assistant|secretary"
    "|tutor|disciple"
)
STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idah"
    "o|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|"
    "Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New "
    "York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|"
    "South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West "
    ""
    "Virginia|Wisconsin|Wyoming|England|Scotland|Wales|Ireland|France|Germany|Italy|Spain|Portugal|Greece|Austria|Switzerland|"
    "Sweden|Norway|Denmark|Finland|Poland|Russia|Ukraine|Turkey|China|Japan|India|Canada|Australia|New "
    "Zealand|Mexico|Brazil|Argentina|Chile|Egypt|Israel|South Africa|Netherlands|Belgium|Hungary|"
    "Ontario|Quebec|British Columbia|U.S.|U.K.|United States|United Kingdom"
)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
