"""An object out of a sentence, from a model that knows nothing of schemas."""

from any_model import any_model
from pydantic import BaseModel, Field

from langchain_toolemu import ChatToolEmu


class Person(BaseModel):
    """A person who is spoken of."""

    name: str = Field(description="The first name", examples=["Bob"])
    age: int = Field(description="The age in years", examples=[7])


if __name__ == "__main__":
    llm = ChatToolEmu(llm=any_model(), mode="force")
    sentence = "I met Ann, who is 42 years old."

    person = llm.with_structured_output(Person).invoke(sentence)
    print("an object:  ", repr(person))

    # A JSON schema in, a dict out. `include_raw` also shows the message and what was done for it.
    schema = Person.model_json_schema()
    said = llm.with_structured_output(schema, include_raw=True).invoke(sentence)
    print("a dict:     ", said["parsed"])
    print("how it came:", said["raw"].response_metadata["toolemu"])
